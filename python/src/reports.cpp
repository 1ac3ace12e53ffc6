// python/src/reports.cpp: pages to look at, and methods side by side.
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "core/files/atomic_file.h"
#include "evaluation/evaluation_fields.h"
#include "experiment/experiment_fields.h"
#include "quickselection/experiment.h"
#include "quickselection/extraction.h"
#include "report/page.h"
#include "report/reports.h"
#include "selectors/selection_fields.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

using Scores = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// `found` is what select or Training.learn gave, `history` the scores after each epoch.
std::string selection_page(const Dataset& data, const py::dict& found,
                           const std::vector<Scores>& history, const std::string& image,
                           std::size_t k) {
  Selection selection;
  from_python(found, selection);
  SelectionReport report{data, selection, k, measured_of(found["measured"])};
  from_python(found["stability"], report.stability);
  if (report.stability) {
    report.stability->features = data.features();
    report.stability->runs_are = found["runs_are"].cast<std::string>();
  }
  from_python(found["explained"], report.explained);
  report.image = image_shape(image, data);
  StrengthHistory strengths;
  for (std::size_t e = 0; e < history.size(); ++e)
    strengths.add({e + 1,
                   e < selection.loss.size() ? selection.loss[e] : 0,
                   {history[e].data(), static_cast<std::size_t>(history[e].size())}});
  report.history = &strengths;
  const py::gil_scoped_release unlocked;
  return selection_report(report);
}

std::string extraction_page(const Dataset& data, Dataset codes, const Extractor& extractor,
                            const py::dict& measured) {
  codes.labels = data.labels;
  const Measured measures = measured_of(measured);
  const py::gil_scoped_release unlocked;
  return extraction_report({data, codes, extractor.info(), measures});
}

/// `plan` is a plan as JSON, with one data set whose values are those of `data`.
py::dict compare(const Dataset& data, const Dataset* test, const std::string& plan_text, bool page,
                 py::object progress) {
  ExperimentPlan plan;
  read_json(parse_json(plan_text), plan, false);
  plan.data.at(0).values = &data;
  plan.data[0].test_values = test;
  if (page) check_reports();
  const RunContext context = watch(0, std::move(progress), py::none());
  std::string rows, summary, text, html;
  {
    const py::gil_scoped_release unlocked;
    const std::vector<ResultRow> found = run_experiment(plan, {}, context);
    const ExperimentSummary sums = summarize(plan, found);
    rows = dump_line(json_of(found));
    summary = summary_json(plan, sums);
    text = describe(sums, TextFormat::plain);
    if (page) html = comparison_report(plan, sums);
  }
  py::dict result;
  result["rows"] = rows;
  result["summary"] = summary;
  result["text"] = text;
  result["page"] = html;
  return result;
}

}  // namespace

void add_reports(py::module_& module) {
  module.attr("reports_available") = reports_available();
  module.def("selection_page", selection_page, py::arg("data"), py::arg("found"),
             py::arg("history"), py::arg("image"), py::arg("k"));
  module.def("extraction_page", extraction_page, py::arg("data"), py::arg("codes"),
             py::arg("extractor"), py::arg("measured"));
  module.def("write_page", [](const std::string& path, const std::string& page) {
    const py::gil_scoped_release unlocked;
    write_file(path, page);
  });
  module.def("compare", compare, py::arg("data"), py::arg("test"), py::arg("plan"), py::arg("page"),
             py::arg("progress") = py::none());
}

}  // namespace quickselection::python
