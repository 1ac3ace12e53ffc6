// report/src/kinds/comparison.ts: the report of `compare`; see src/report/experiment_report.cpp.
import { stackedBars } from "../bars";
import { lineChart } from "../chart";
import { choice } from "../choose";
import { el } from "../dom";
import { bytes, duration, hundredths, number } from "../format";
import { type HeatCell, heatTable, type Mark } from "../heat";
import { card, layout, type Rows, scroller, table } from "../page";
import { scatterChart } from "../scatter";

export interface Measure {
  key: string;
  title: string;
  higher: boolean; // is better
}
/** A mean with its deviation, unless it is of one run, and with its place. */
export interface Figure {
  mean: number;
  std?: number;
  mark: Mark;
}
interface Score {
  parts: number[];
  mark: Mark; // of the sum
}
export interface Cell {
  data: string;
  method: string;
  k: number;
  figures: Record<string, Figure>;
  failure?: string;
}
export interface ExperimentData {
  headline: string[];
  sentence: string;
  methods: string[];
  data: { name: string; rows: number; features: number }[];
  measures: Measure[];
  cells: Cell[];
  settings: [string, string][];
  energy_source: string;
  warnings?: string[];
  best?: string[]; // of a grid, one for each data set and K
}
interface ComparisonData extends ExperimentData {
  scored: string[];
  scores: { method: string; score1: Score; normalised: Score; score2: Score }[];
}

export const figureText = (key: string, { mean, std }: Figure): string =>
  shown(key, mean) + (std === undefined || (std === 0 && show[key] !== hundredths) ? "" : ` ± ${shown(key, std)}`);
const show: Record<string, (value: number) => string> = {
  classification: hundredths,
  random_forest: hundredths,
  clustering: hundredths,
  reconstruction: hundredths,
  seconds: duration,
  peak_rss_bytes: bytes,
  joules: (value) => `${number(value)} J`,
  parameters: number,
};
export const shown = (key: string, value: number): string => (show[key] ?? number)(value);

/** Values carry their own unit, except for percent. */
export const titleOf = (measure: Measure): string => measure.title.replace(/ \((?!%)[^)]*\)$/, "");

/** Methods keep their colour in all charts. Beyond eight, colours come again, dashed. */
export const look = (index: number): string => `s${index % 8}${index >= 8 ? " dashed" : ""}`;

export function experimentHead(data: ExperimentData): HTMLElement {
  const failures = data.cells.filter((cell) => cell.failure);
  return el(
    "header",
    {},
    ...(data.warnings ?? []).map((text) => el("p", { class: "warning", role: "note" }, text)),
    ...failures.map((cell) =>
      el("p", { class: "warning", role: "note" }, `${cell.method} on ${cell.data}, K ${cell.k}: ${cell.failure}`),
    ),
    el("h1", {}, data.headline.join("; ")),
    data.best && el("ul", { class: "best" }, ...data.best.map((text) => el("li", {}, text))),
    el("p", { class: "source" }, data.sentence),
  );
}

export const ksOf = (data: ExperimentData, name: string): number[] =>
  [...new Set(data.cells.filter((cell) => cell.data === name).map((cell) => cell.k))].sort((a, b) => a - b);

export function experimentSettings(data: ExperimentData): HTMLElement {
  const rows: Rows = data.settings.map(([name, value]) => [name, el("bdi", {}, value)]);
  return card(
    "Settings",
    "",
    scroller({ class: "settings" }, table("Everything that was set", ["setting", "value"], rows)),
  );
}

export function comparisonReport(data: ComparisonData): HTMLElement[] {
  const find = (name: string, method: string, k: number): Cell | undefined =>
    data.cells.find((cell) => cell.data === name && cell.method === method && cell.k === k);

  function scoreCards(): HTMLElement[] {
    if (data.scores.length === 0) return [];
    const rows = (key: "score1" | "normalised" | "score2") =>
      data.scores.map((score) => ({ name: score.method, values: score[key].parts }));
    const points = (value: number): string => value.toFixed(value < 9.995 ? 2 : 1);
    const sum = ({ parts, mark }: Score): HeatCell => {
      const value = parts.reduce((a, b) => a + b, 0);
      return { value, text: Number.isInteger(value) ? String(value) : points(value), mark };
    };
    return [
      card(
        "Score 1: first and second places",
        "One point for each first or second place in accuracy, clustering, time or memory, over all data sets and K.",
        stackedBars({ title: "Score 1", parts: data.scored, rows: rows("score1") }),
      ),
      card(
        "Score 2: how far from the best",
        "Each measure is scaled from 0 (the worst method) to 1 (the best), then summed.",
        stackedBars({ title: "Score 2", parts: data.scored, rows: rows("score2") }),
      ),
      card(
        "Both scores, measure by measure",
        "Score 2 of each measure, and the sums. In the normalised Score 1 every group of data sets counts the same.",
        heatTable({
          caption: "Scores",
          corner: "method",
          columns: [...data.scored, "Score 2", "Score 1", "Score 1, normalised"],
          byColumn: true,
          rows: data.scores.map((score) => ({
            name: score.method,
            cells: [
              ...score.score2.parts.map((value) => ({ value, text: points(value) })),
              ...[score.score2, score.score1, score.normalised].map(sum),
            ],
          })),
        }),
      ),
    ];
  }

  function tradeCard(): HTMLElement {
    const has = (key: string): boolean => data.cells.some((cell) => cell.figures[key]);
    const costs = ["joules", "peak_rss_bytes", "seconds", "parameters"].flatMap((key) =>
      data.measures.filter((m) => m.key === key && has(key)),
    );
    const gains = data.measures.filter((m) => m.higher && has(m.key));
    const chart = scatterChart({ title: "What accuracy costs", x: "", y: "", what: "method", named: true, logX: true });
    const names = data.data.map((one) => one.name);
    const where = choice("Data", names, () => refreshK());
    const kPlace = el("span");
    let chosenK = choice("K", [""], draw);
    const cost = choice("Cost", costs.map(titleOf), draw);
    const gain = choice("Judged by", gains.map(titleOf), draw);
    function refreshK(): void {
      const ks = ksOf(data, names[where.value()]);
      chosenK = choice("K", ks.map(String), draw, ks.length - 1);
      kPlace.replaceChildren(chosenK.element);
      draw();
    }
    function draw(): void {
      const name = names[where.value()];
      const [x, y] = [costs[cost.value()], gains[gain.value()]];
      if (!x || !y) return;
      const k = ksOf(data, name)[chosenK.value()];
      const points = data.methods.flatMap((method, i) => {
        const figures = find(name, method, k)?.figures ?? {};
        const [fx, fy] = [figures[x.key], figures[y.key]];
        return fx && fy && fx.mean > 0 ? [{ name: method, x: fx.mean, y: fy.mean, look: look(i) }] : [];
      });
      chart.show(points, { x: titleOf(x), y: titleOf(y), showX: (v) => shown(x.key, v), showY: (v) => shown(y.key, v) });
    }
    refreshK();
    return card(
      "What accuracy costs",
      `Up and to the left is better. Energy: ${data.energy_source}.`,
      el("div", { class: "controls" }, where.element, kPlace, cost.element, gain.element),
      chart.element,
    );
  }

  function overK(): HTMLElement[] {
    return data.data.flatMap(({ name }) => {
      const ks = ksOf(data, name);
      if (ks.length < 2) return [];
      return data.measures
        .filter((m) => m.higher)
        .flatMap((m) => {
          const series = data.methods.flatMap((method, i) => {
            const have = ks.filter((k) => find(name, method, k)?.figures[m.key]);
            const figures = have.map((k) => find(name, method, k)!.figures[m.key]);
            return have.length === 0
              ? []
              : [{ name: method, x: have, y: figures.map((f) => f.mean), spread: figures.map((f) => f.std ?? 0), look: look(i) }];
          });
          if (series.length === 0) return [];
          const title = `${m.title} over K: ${name}`;
          const chart = lineChart({ title, x: "K", y: m.title, series, wholeX: true, format: (v) => shown(m.key, v) });
          return [card(title, "Mean ± standard deviation of the runs.", chart.element)];
        });
    });
  }

  function tables(): HTMLElement[] {
    return data.measures.map((m) => {
      const columns = data.data.flatMap(({ name }) => ksOf(data, name).map((k) => ({ name, k })));
      return card(
        titleOf(m),
        "",
        heatTable({
          caption: "Mean ± standard deviation; the best in bold, the second best in italics",
          corner: "method",
          plain: true,
          columns: columns.map(({ name, k }) => `${name}, K ${k}`),
          rows: data.methods.map((method) => ({
            name: method,
            cells: columns.map(({ name, k }): HeatCell | string => {
              const cell = find(name, method, k);
              const figure = cell?.figures[m.key];
              if (!figure) return cell?.failure ? "failed" : "–";
              return { value: figure.mean, text: figureText(m.key, figure), mark: figure.mark };
            }),
          })),
        }),
      );
    });
  }

  return [
    experimentHead(data),
    layout([tradeCard(), ...scoreCards().slice(0, 1)], [...scoreCards().slice(1), ...tables(), ...overK(), experimentSettings(data)]),
  ];
}
