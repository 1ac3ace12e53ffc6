// src/selectors/registry.cpp: the list of methods.
#include <fmt/format.h>

#include "core/text/options.h"
#include "quickselection/error.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

#define QS_METHOD(name) &name,
constexpr const Method* kMethods[] = {
#include "selectors/methods/list.h"
};
#undef QS_METHOD

MethodInfo info_of(const Method& method) {
  return {std::string(method.name),    std::string(method.class_name),
          std::string(method.summary), method.scale,
          method.options.describe(),   method.trains()};
}

}  // namespace

std::span<const Method* const> all_methods() { return kMethods; }

const Method& find_method(const std::string& name) {
  std::vector<std::string> names;
  for (const Method* method : kMethods) {
    if (method->name == name) return *method;
    names.emplace_back(method->name);
  }
  const std::string near = closest(name, names);
  throw InvalidArgument(fmt::format("there is no method called '{}'", name),
                        near.empty() ? fmt::format("the methods are {}", fmt::join(names, ", "))
                                     : fmt::format("did you mean {}?", near));
}

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> infos;
  for (const Method* method : kMethods) infos.push_back(info_of(*method));
  return infos;
}

MethodInfo method_info(const std::string& name) { return info_of(find_method(name)); }

ScaleMode scale_mode(const std::string& name) {
  ScaleMode mode{};
  options_detail::parse("scale", mode, choices_of<ScaleMode>(), name);
  return mode;
}

std::string to_text(ScaleMode mode) { return std::string(name_of(mode)); }

}  // namespace quickselection
