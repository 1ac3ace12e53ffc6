// report/src/kinds/tuning.ts: the report of `tune`; see src/report/experiment_report.cpp.
import { lineChart } from "../chart";
import { type HeatCell, heatTable } from "../heat";
import { card, layout } from "../page";
import { type Cell, type ExperimentData, experimentHead, experimentSettings, figureText, ksOf, shown } from "./comparison";

interface TuningData extends ExperimentData {
  axes: { option: string; values: string[] }[];
  points: { method: string; values: string[] }[]; // the values of the axes, in their order
  criterion: string;
}

/** All ways to take one value of each axis. */
const combinations = (axes: { values: string[] }[]): string[][] =>
  axes.reduce<string[][]>((all, axis) => all.flatMap((start) => axis.values.map((value) => [...start, value])), [[]]);

export function tuningReport(data: TuningData): HTMLElement[] {
  const cellAt = (name: string, k: number, values: string[]): Cell | undefined => {
    const point = data.points.find((one) => one.values.every((value, i) => value === values[i]));
    return data.cells.find((cell) => cell.data === name && cell.k === k && cell.method === point?.method);
  };
  // The first two axes with several values make the map; the others each have maps of their own.
  const several = data.axes.map((axis, i) => ({ ...axis, i })).filter((axis) => axis.values.length > 1);
  const inMap = several.filter((axis) => axis.option !== "epochs").concat(several.filter((axis) => axis.option === "epochs")).slice(0, 2);
  const others = data.axes.map((axis, i) => ({ ...axis, i })).filter((axis) => !inMap.some((one) => one.i === axis.i));
  const measures = [...data.measures].sort((a, b) => Number(b.key === data.criterion) - Number(a.key === data.criterion)).filter((m) => m.higher);

  const place = (own: Map<number, string>): string[] => data.axes.map((_, i) => own.get(i)!);
  const parts: HTMLElement[] = [];
  for (const { name } of data.data)
    for (const k of ksOf(data, name))
      for (const rest of combinations(others))
        for (const measure of measures) {
          const fixed = others.map((axis, n): [number, string] => [axis.i, rest[n]]);
          const said = [name, `K ${k}`, ...others.filter((axis) => axis.values.length > 1).map((axis) => `${axis.option} ${rest[others.indexOf(axis)]}`)];
          const title = `${measure.title}: ${said.join(", ")}`;
          const [down, across] = inMap;
          const figure = (own: [number, string][]) => cellAt(name, k, place(new Map([...fixed, ...own])))?.figures[measure.key];
          if (!down) continue;
          if (!across) {
            const have = down.values.filter((value) => figure([[down.i, value]]) && Number.isFinite(Number(value)));
            const figures = have.map((value) => figure([[down.i, value]])!);
            if (have.length === 0) continue;
            const series = [{ name: down.option, x: have.map(Number), y: figures.map((f) => f.mean), spread: figures.map((f) => f.std ?? 0), look: "s0" }];
            parts.push(card(title, "", lineChart({ title, x: down.option, y: measure.title, series, format: (v) => shown(measure.key, v) }).element));
            continue;
          }
          const all = down.values.map((a) => across.values.map((b) => figure([[down.i, a], [across.i, b]])));
          if (!all.flat().some(Boolean)) continue;
          parts.push(
            card(
              title,
              "",
              heatTable({
                caption: `${down.option} down, ${across.option} across; the stronger the colour, the higher`,
                corner: `${down.option} \\ ${across.option}`,
                columns: across.values,
                rows: down.values.map((value, r) => ({
                  name: value,
                  cells: all[r].map((f): HeatCell | string => (f ? { value: f.mean, text: figureText(measure.key, f), mark: f.mark } : "–")),
                })),
              }),
            ),
          );
        }
  return [experimentHead(data), layout([], [...parts, experimentSettings(data)])];
}
