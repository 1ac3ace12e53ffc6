// python/src/evaluation.cpp: judging rankings, and what can be said about data.
#include "quickselection/evaluation.h"

#include <pybind11/stl.h>

#include <utility>

#include "convert.h"
#include "data/dataset/summary_fields.h"
#include "evaluation/evaluation_fields.h"
#include "quickselection/ranking_file.h"
#include "report/page.h"
#include "report/reports.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

py::object run_evaluate(const Dataset& data, const Dataset* test,
                        const std::vector<std::uint32_t>& ranking, const py::dict& holdout,
                        const py::dict& judges, bool fill, int threads, py::object progress,
                        const std::optional<std::string>& page_of) {
  const auto asked = parse_options<HoldoutOptions>(given_options(holdout), "evaluate");
  const auto options = parse_evaluation_options(given_options(judges));
  const RunContext context = watch(threads, std::move(progress), py::none());
  if (page_of) check_reports();
  Evaluation evaluation;
  std::string page;
  const Stopwatch clock;
  EnergyMeter energy;
  {
    const py::gil_scoped_release unlocked;
    const HeldOut held = hold_out(data, test, asked, fill);
    evaluation = evaluate(held.holdouts, ranking, options, context);
    if (page_of)
      page = evaluation_report(
          {held.data.front(), evaluation, options, *page_of, {0, clock.seconds(), energy.read()}});
  }
  py::object result = to_python(std::move(evaluation));
  if (page_of) result["page"] = page;
  return result;
}

py::object info(const Dataset& data) {
  const Summary summary = [&] {
    const py::gil_scoped_release unlocked;
    return summarize(data);
  }();
  return to_python(summary);
}

}  // namespace

void add_evaluation(py::module_& module) {
  module.def("evaluate", run_evaluate, py::arg("data"), py::arg("test"), py::arg("ranking"),
             py::arg("holdout"), py::arg("judges"), py::arg("fill") = false, py::arg("threads") = 0,
             py::arg("progress") = py::none(), py::arg("page_of") = py::none());
  module.def("evaluation_options", [] { return options_to_python(evaluation_options()); });
  module.def("holdout_options",
             [] { return options_to_python(describe_options<HoldoutOptions>()); });
  module.def("read_ranking", read_ranking, py::arg("path"), py::arg("data"));
  module.def("info", info);
}

}  // namespace quickselection::python
