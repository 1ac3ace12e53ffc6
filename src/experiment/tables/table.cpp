// src/experiment/tables/table.cpp: see table.h.
#include "experiment/tables/table.h"

#include <fmt/format.h>

#include <algorithm>

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

std::string escape_latex(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::string_view("_%&#{}$").find(c) != std::string_view::npos)
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

std::string escape_markdown(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_') escaped += '\\';
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
  for (const TableRow& row : table.rows) first = std::max(first, width_of(row.name));
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(width_of(table.columns[c]) + 2);
    for (const TableRow& row : table.rows)
      if (c < row.cells.size()) widths[c] = std::max(widths[c], width_of(marked(row.cells[c])));
  }
  const auto finish = [](const std::string& line) {
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text = table.title + "\n";
  std::string line = pad(table.corner, first, true);
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    line += "  " + pad(table.columns[c] + "  ", widths[c], false);
  text += finish(line);
  for (const TableRow& row : table.rows) {
    line = pad(row.name, first, true);
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      line += "  " + pad(marked(row.cells[c]), widths[c], false);
    text += finish(line);
  }
  return text + "\n";
}

std::string markdown(const Table& table) {
  std::string text =
      fmt::format("### {}\n\n| {} |", escape_markdown(table.title), escape_markdown(table.corner));
  for (const std::string& column : table.columns)
    text += fmt::format(" {} |", escape_markdown(column));
  text += "\n|---|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) text += "---:|";
  text += "\n";
  for (const TableRow& row : table.rows) {
    text += fmt::format("| {} |", escape_markdown(row.name));
    for (const TableCell& cell : row.cells) {
      const char* const mark = cell.place == Place::first    ? "**"
                               : cell.place == Place::second ? "*"
                                                             : "";
      text += fmt::format(" {}{}{} |", mark, escape_markdown(cell.text), mark);
    }
    text += "\n";
  }
  return text + "\n";
}

std::string latex(const Table& table) {
  std::string text = fmt::format(
      "\\begin{{table}}[!t]\n\\centering\n\\caption{{{}}}\n\\begin{{tabular}}{{l{}}}\n\\toprule\n"
      "\\textbf{{{}}}",
      escape_latex(table.title), std::string(table.columns.size(), 'c'),
      escape_latex(table.corner));
  for (const std::string& column : table.columns)
    text += fmt::format(" & \\textbf{{{}}}", escape_latex(column));
  text += " \\\\\n\\midrule\n";
  for (const TableRow& row : table.rows) {
    text += escape_latex(row.name);
    for (const TableCell& cell : row.cells) {
      const std::string content = escape_latex(cell.text);
      text += cell.place == Place::first    ? fmt::format(" & \\textbf{{{}}}", content)
              : cell.place == Place::second ? fmt::format(" & \\textit{{{}}}", content)
                                            : fmt::format(" & {}", content);
    }
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n\n";
}

}  // namespace

std::string render(const Table& table, TextFormat format) {
  switch (format) {
    case TextFormat::markdown:
      return markdown(table);
    case TextFormat::latex:
      return latex(table);
    case TextFormat::plain:
      break;
  }
  return plain(table);
}

std::string render_text(std::string_view text, TextFormat format) {
  if (format == TextFormat::latex) return escape_latex(text) + "\n\n";
  return std::string(text) + (format == TextFormat::markdown ? "\n\n" : "\n");
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
