// report/src/kinds/extraction.ts: the report of `extract`; see src/report/extraction_report.cpp.
import { lineChart } from "../chart";
import { choice } from "../choose";
import { el } from "../dom";
import { plural } from "../format";
import { card, type Common, head, layout, settingsCard } from "../page";
import { scatterChart } from "../scatter";
import { look } from "./comparison";

interface ExtractionData extends Common {
  loss: number[];
  spread: number[]; // standard deviation of each dimension, in order
  sample: { dimensions: number[]; rows: number[][]; classes?: number[] };
  class_names?: string[];
}

export function extractionReport(data: ExtractionData): HTMLElement[] {
  const { sample } = data;
  const names = data.class_names ?? [];
  const chart = scatterChart({ title: "Rows in the new dimensions", x: "", y: "", what: names.length > 0 ? "class of a row" : "row" });
  const labels = sample.dimensions.map((d) => `dimension ${d + 1}`);
  const across = choice("Across", labels, draw);
  const up = choice("Up", labels, draw, Math.min(1, labels.length - 1));
  function draw(): void {
    const points = sample.rows.map((row, r) => {
      const own = sample.classes?.[r];
      return {
        name: own === undefined ? String(r) : names[own],
        x: row[across.value()],
        y: row[up.value()],
        look: look(own ?? 0),
      };
    });
    chart.show(points, { x: labels[across.value()], y: labels[up.value()] });
  }
  draw();
  const parts: HTMLElement[] = [
    card(
      "Rows in the new dimensions",
      `${plural(sample.rows.length, "row")}` +
        (names.length > 0 ? ", coloured by class. Labels are only shown, never used." : "."),
      el("div", { class: "controls" }, across.element, up.element),
      names.length > 0 &&
        names.length <= 30 &&
        el("ul", { class: "legend" }, ...names.map((name, i) => el("li", { class: look(i) }, el("i", { class: "key" }), el("bdi", {}, name)))),
      chart.element,
    ),
    card(
      "How much each dimension varies",
      "Standard deviation. A dimension that hardly varies says nothing.",
      lineChart({
        title: "Standard deviation of each dimension",
        x: "dimension",
        y: "standard deviation",
        series: [{ name: "standard deviation", x: data.spread.map((_, i) => i + 1), y: data.spread, look: "s0" }],
        fromZero: true,
        wholeX: true,
      }).element,
    ),
  ];
  if (data.loss.length > 0)
    parts.push(
      card(
        "Loss of each epoch",
        "Mean squared error of the scaled features.",
        lineChart({
          title: "Loss",
          x: "epoch",
          y: "loss",
          series: [{ name: "loss", x: data.loss.map((_, i) => i + 1), y: data.loss, look: "s0" }],
          wholeX: true,
        }).element,
      ),
    );
  parts.push(settingsCard(data));
  return [head(data, data.data.source), layout(parts.slice(0, 2), parts.slice(2))];
}
