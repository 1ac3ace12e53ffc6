// src/experiment/tables/table.cpp: see table.h.
#include "experiment/tables/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/visible.h"

namespace quickselection {
namespace {

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string pad(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return left ? text + space : space + text;
}

std::string escape_latex(std::string_view raw) {
  const std::string shown = visible(raw);
  const std::string_view text = shown;
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\')
      escaped += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      escaped += fmt::format("\\{}{{}}", c);
    else if (std::string_view("_%&#{}$").find(c) != std::string_view::npos)
      escaped += fmt::format("\\{}", c);
    else if (text.substr(i).starts_with("±"))
      escaped += "$\\pm$", ++i;
    else if (text.substr(i).starts_with("²"))
      escaped += "$^2$", ++i;
    else
      escaped += c;
  }
  return escaped;
}

/// Neither Markdown nor the HTML that it may hold.
std::string escape_markdown(std::string_view text) {
  std::string escaped;
  for (const char c : visible(text)) {
    if (c == '<') {
      escaped += "&lt;";
      continue;
    }
    if (c == '&') {
      escaped += "&amp;";
      continue;
    }
    if (std::string_view("|*_`[]!\\").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string plain(const Table& table) {
  const auto marked = [](const TableCell& cell) {
    return cell.text + (cell.place == Place::first    ? " *"
                        : cell.place == Place::second ? " +"
                                                      : "  ");
  };
  std::size_t first = width_of(table.corner);
  for (const TableRow& row : table.rows) first = std::max(first, width_of(visible(row.name)));
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(width_of(visible(table.columns[c])) + 2);
    for (const TableRow& row : table.rows)
      if (c < row.cells.size()) widths[c] = std::max(widths[c], width_of(marked(row.cells[c])));
  }
  const auto finish = [](const std::string& line) {
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text = visible(table.title) + "\n";
  std::string line = pad(table.corner, first, true);
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    line += "  " + pad(visible(table.columns[c]) + "  ", widths[c], false);
  text += finish(line);
  for (const TableRow& row : table.rows) {
    line = pad(visible(row.name), first, true);
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      line += "  " + pad(marked(row.cells[c]), widths[c], false);
    text += finish(line);
  }
  return text + "\n";
}

/// Markdown, or LaTeX: lines of cells, with something before, between and behind them.
std::string marked_up(const Table& table, bool latex) {
  const auto escape = latex ? escape_latex : escape_markdown;
  const auto emphasised = [&](const std::string& text, Place place) {
    if (place == Place::none) return escape(text);
    const bool bold = place == Place::first;
    return latex ? fmt::format("\\text{}{{{}}}", bold ? "bf" : "it", escape(text))
                 : fmt::format("{0}{1}{0}", bold ? "**" : "*", escape(text));
  };
  const auto line = [&](const std::vector<std::string>& cells) {
    return latex ? fmt::format("{} \\\\\n", fmt::join(cells, " & "))
                 : fmt::format("| {} |\n", fmt::join(cells, " | "));
  };
  const std::size_t columns = table.columns.size();
  std::string text = latex ? fmt::format(
                                 "\\begin{{table}}[!t]\n\\centering\n\\caption{{{}}}\n"
                                 "\\begin{{tabular}}{{l{}}}\n\\toprule\n",
                                 escape(table.title), std::string(columns, 'c'))
                           : fmt::format("### {}\n\n", escape(table.title));
  const Place heading = latex ? Place::first : Place::none;
  std::vector<std::string> cells{emphasised(table.corner, heading)};
  for (const std::string& column : table.columns) cells.push_back(emphasised(column, heading));
  text += line(cells);
  text += latex ? "\\midrule\n" : "|---|";
  for (std::size_t c = 0; c < columns && !latex; ++c) text += "---:|";
  if (!latex) text += "\n";
  for (const TableRow& row : table.rows) {
    cells = {escape(row.name)};
    for (const TableCell& cell : row.cells) cells.push_back(emphasised(cell.text, cell.place));
    text += line(cells);
  }
  return text + (latex ? "\\bottomrule\n\\end{tabular}\n\\end{table}\n\n" : "\n");
}

}  // namespace

std::string render(const Table& table, TextFormat format) {
  if (format != TextFormat::plain) return marked_up(table, format == TextFormat::latex);
  return plain(table);
}

std::string render_text(std::string_view text, TextFormat format) {
  if (format == TextFormat::latex) return escape_latex(text) + "\n\n";
  if (format == TextFormat::markdown) return escape_markdown(text) + "\n\n";
  return visible(text, true) + "\n";
}

void mark_places(std::vector<Candidate> candidates, bool higher_is_better) {
  for (const Candidate& candidate : candidates) *candidate.place = Place::none;
  if (candidates.size() < 2) return;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) {
                     return higher_is_better ? a.value > b.value : a.value < b.value;
                   });
  const std::string best = candidates.front().shown;
  std::string second;
  for (const Candidate& candidate : candidates) {
    if (candidate.shown == best) {
      *candidate.place = Place::first;
      continue;
    }
    if (second.empty()) second = candidate.shown;
    if (candidate.shown != second) break;
    *candidate.place = Place::second;
  }
}

}  // namespace quickselection
