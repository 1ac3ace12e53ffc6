// report/src/bars.ts: horizontal bars made of parts.
import { el, svg } from "./dom";
import { number, shortName } from "./format";
import { numbersBehind } from "./page";

export interface BarsOptions {
  title: string;
  parts: string[];
  rows: { name: string; values: number[] }[];
}

const ROW = 26;
const VALUE = 46; // room for the sum

export function stackedBars(options: BarsOptions): HTMLElement {
  const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);
  const most = Math.max(...options.rows.map((row) => sum(row.values)), 1e-9);
  const plot = svg("svg", { class: "chart", role: "img", "aria-label": `${options.title}. The numbers are in the table below.` });
  const element = el(
    "figure",
    {},
    el(
      "ul",
      { class: "legend" },
      ...options.parts.map((name, i) => el("li", { class: `s${i}` }, el("i", { class: "key" }), name)),
    ),
    plot,
    numbersBehind(options.title, ["method", ...options.parts, "sum"], () =>
      options.rows.map((row) => [row.name, ...row.values.map(number), number(sum(row.values))]),
    ),
  );

  function draw(width: number): void {
    const names = Math.min(170, width * 0.35);
    const scale = (width - names - VALUE) / most;
    plot.setAttribute("viewBox", `0 0 ${width} ${options.rows.length * ROW + 4}`);
    plot.replaceChildren(
      ...options.rows.map((row, r) => {
        const group = svg("g", { class: "bar" });
        const y = r * ROW + 3;
        group.append(
          svg("text", { class: "end", x: names - 8, y: y + 15 }, shortName(row.name, Math.max(6, Math.floor(names / 7.5)))),
        );
        let x = names;
        row.values.forEach((value, i) => {
          if (value <= 0) return;
          const part = svg("rect", { class: `part s${i}`, x, y, width: Math.max(0.5, value * scale - 1), height: ROW - 7 });
          part.append(svg("title", {}, `${row.name}, ${options.parts[i]}: ${number(value)}`));
          group.append(part);
          x += value * scale;
        });
        group.append(svg("text", { class: "start", x: x + 6, y: y + 15 }, number(sum(row.values))));
        return group;
      }),
    );
  }
  new ResizeObserver(([entry]) => draw(Math.max(240, Math.round(entry.contentRect.width)))).observe(element);
  return element;
}
