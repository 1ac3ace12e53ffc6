// src/report/page.cpp: see page.h.
#include "report/page.h"

#include <fmt/format.h>

#include <cmath>

#include "quickselection/error.h"
#include "report/bundle.h"

namespace quickselection {
namespace {

std::string escape_html(std::string_view text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

/// JSON that can stand in a script element: no '<' can end the element or open a comment.
std::string embeddable(const Json& data) {
  std::string text = dump_line(data);
  text.pop_back();
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) safe += c == '<' ? "\\u003c" : std::string(1, c);
  return safe;
}

}  // namespace

bool reports_available() { return !kBundle.script.empty(); }

void check_reports() {
  if (!reports_available())
    throw Error("this program was built without reports", "install esbuild, then build again");
}

std::string report_page(const std::string& title, const Json& data) {
  check_reports();
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; "
      "style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{}</style>\n</head>\n"
      "<body>\n<noscript>This report needs JavaScript. It connects to nothing.</noscript>\n"
      "<script type=\"application/json\" id=\"report-data\">{}</script>\n"
      "<script>{}</script>\n</body>\n</html>\n",
      kBundle.script_hash, kBundle.style_hash, escape_html(title), kBundle.style, embeddable(data),
      kBundle.script);
}

std::string file_name(const std::string& path) {
  std::string_view name = path;
  while (name.size() > 1 && name.back() == '/') name.remove_suffix(1);
  return std::string(name.substr(name.rfind('/') + 1));
}

std::string percent(double share) {
  const double shown = 100 * share;
  return fmt::format("{:.{}f}\u00a0%", shown, std::abs(shown) < 99.95 ? 1 : 0);
}

std::string base64(std::span<const std::uint8_t> bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (j < have ? bytes[i + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= have ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

Json about_data(const Dataset& data) {
  Json about = {{"source", file_name(data.source)}, {"rows", data.rows()},
                {"features", data.features()},      {"type", std::string(name_of(data.type()))},
                {"sparse", data.is_sparse()},       {"notes", on_command_line(data.notes)}};
  if (data.labels) about["classes"] = data.labels->classes.size();
  return about;
}

Json about_settings(std::span<const Setting> settings) {
  Json list = Json::array();
  for (const auto& [name, value] : settings) list.push_back({name, to_text(value)});
  return list;
}

Json about_costs(const Measured& measured) {
  return {{"seconds", rounded(measured.total_seconds)},
          {"read_seconds", rounded(measured.read_seconds)},
          {"peak_bytes", peak_rss_bytes()},
          {"joules", rounded(measured.energy.joules)},
          {"energy_source", measured.energy.source}};
}

}  // namespace quickselection
