// report/src/kinds/evaluation.ts: the report of `evaluate`; see src/report/evaluation_report.cpp.
import { lineChart, type Series } from "../chart";
import { el } from "../dom";
import { duration, percent } from "../format";
import { card, type Common, head, layout, type Rows, settingsCard, table } from "../page";

type Figure = [mean: number, std: number];
type Judged = Partial<Record<"classification" | "clustering" | "nmi" | "ari" | "reconstruction", Figure>>;
interface Curve {
  removed: number[];
  mean: number[];
  std: number[];
}

interface EvaluationData extends Common {
  classifier: string;
  ranking: string;
  entries: { k: number; chosen: Judged; random?: Judged; all?: Judged }[];
  removal?: { least: Curve; most: Curve };
  costs: Common["costs"] & { evaluate_seconds: number };
}

const asPercent = (value: number): string => percent(value);
const asShare = (value: number): string => value.toFixed(3);
const withSpread = ([mean, std]: Figure, format: (value: number) => string): string =>
  `${format(mean).replace("\u00a0%", "")} ± ${format(std)}`;

export function evaluationReport(data: EvaluationData): HTMLElement[] {
  const entries = [...data.entries].sort((a, b) => a.k - b.k);
  const measures: [keyof Judged, string, string, (value: number) => string][] = [
    ["classification", `Classification by ${data.classifier}`, "Accuracy on test rows, mean ± standard deviation of the runs.", asPercent],
    ["clustering", "Clustering by k-means", "Accuracy of the clusters, matched to the classes.", asPercent],
    ["nmi", "Clustering: mutual information", "Normalised: 0 is chance, 1 is perfect.", asShare],
    ["ari", "Clustering: adjusted Rand index", "0 is chance, 1 is perfect.", asShare],
    ["reconstruction", "Reconstruction of all features", "Share of the variance of all features that a linear model rebuilds, on test rows.", asPercent],
  ];

  const parts: HTMLElement[] = [];
  const shown = measures.filter(([key]) => entries.some((entry) => entry.chosen[key]));
  for (const [key, title, note, format] of shown) {
    const series: Series[] = [];
    const add = (who: "chosen" | "random" | "all", name: string, look: string): void => {
      const have = entries.filter((entry) => entry[who]?.[key]);
      if (have.length === 0) return;
      series.push({
        name,
        x: have.map((entry) => entry.k),
        y: have.map((entry) => entry[who]![key]![0]),
        spread: have.map((entry) => entry[who]![key]![1]),
        look,
      });
    };
    add("all", "all features", "s2 dashed");
    add("random", "random features", "s1");
    add("chosen", "chosen features", "s0");
    const chart = lineChart({ title, x: "K", y: title, series, format, wholeX: true, top: 1 });
    parts.push(card(title, note, chart.element));
  }

  if (data.removal) {
    const { least, most } = data.removal;
    const curve = (c: Curve, name: string, look: string): Series => ({
      name,
      x: c.removed,
      y: c.mean,
      spread: c.std,
      look,
    });
    const chart = lineChart({
      title: "Accuracy without some features",
      x: "features removed",
      y: "accuracy",
      series: [curve(least, "least important first", "s0"), curve(most, "most important first", "s3")],
      format: asPercent,
      wholeX: true,
      top: 1,
    });
    parts.push(
      card(
        "What is lost without the features?",
        "A good ranking loses nothing when its least important features go first, and much when its best ones do.",
        chart.element,
      ),
    );
  }

  const row = (k: number, who: string, judged: Judged): string[] => [
    String(k),
    who,
    ...shown.map(([key, , , format]) => (judged[key] ? withSpread(judged[key]!, format) : "–")),
  ];
  const rows: Rows = entries.flatMap((entry) => [
    row(entry.k, "best", entry.chosen),
    ...(entry.random ? [row(entry.k, "random", entry.random)] : []),
  ]);
  const all = entries.find((entry) => entry.all)?.all;
  if (all) rows.push(row(data.data.features, "all", all));
  parts.push(
    card(
      "All figures",
      "",
      el("div", { class: "scroll" }, table("Mean ± standard deviation", ["K", "features", ...shown.map(([, title]) => title)], rows)),
    ),
    settingsCard(data, [
      ["ranking", data.ranking],
      ["time of the evaluation", duration(data.costs.evaluate_seconds)],
    ]),
  );
  return [head(data, `The ranking ${data.ranking}, judged on ${data.data.source}`), layout([], parts)];
}
