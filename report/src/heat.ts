// report/src/heat.ts: a table whose cells are coloured by their value: a heat map that can be read.
import { el, nameElement } from "./dom";
import { scroller } from "./page";

export interface HeatCell {
  value: number;
  text: string;
  mark?: Mark;
}
export type Mark = "best" | "second" | "";

export interface HeatOptions {
  caption: string;
  corner: string; // what the row names are, and the columns
  columns: string[];
  rows: { name: string; cells: (HeatCell | string)[] }[]; // a text stands for what has no value
  plain?: boolean; // no colours, only marks
  byColumn?: boolean; // each column has its own range of colours
}

export function heatTable(options: HeatOptions): HTMLElement {
  const range = (cells: (HeatCell | string)[]): [number, number] => {
    const values = cells.flatMap((cell) => (typeof cell === "string" ? [] : [cell.value]));
    return [Math.min(...values), Math.max(...values)];
  };
  const everything = range(options.rows.flatMap((row) => row.cells));
  const ranges = options.columns.map((_, c) =>
    options.byColumn ? range(options.rows.map((row) => row.cells[c])) : everything,
  );
  const cellElement = (cell: HeatCell | string, column: number): HTMLElement => {
    if (typeof cell === "string") return el("td", { class: "number" }, cell);
    const [least, most] = ranges[column];
    const element = el("td", { class: `number ${options.plain ? "" : "heat"}` }, marked(cell));
    element.style.setProperty("--level", String(most > least ? (cell.value - least) / (most - least) : 0.5));
    return element;
  };
  return scroller(
    { tabindex: "0", role: "region", "aria-label": options.caption },
    el(
      "table",
      { class: "heatmap" },
      el("caption", {}, options.caption),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, options.corner),
          ...options.columns.map((name) => el("th", { scope: "col", class: "number" }, name)),
        ),
      ),
      el(
        "tbody",
        {},
        ...options.rows.map((row) =>
          el("tr", {}, el("th", { scope: "row" }, nameElement(row.name)), ...row.cells.map(cellElement)),
        ),
      ),
    ),
  );
}

/** Best in bold, second best in italics, as in the paper; in words for screen readers. */
function marked(cell: HeatCell): HTMLElement | string {
  if (cell.mark === "best") return el("b", { title: "best" }, cell.text);
  if (cell.mark === "second") return el("i", { title: "second best" }, cell.text);
  return cell.text;
}
