// report/src/kinds/evaluation.ts: the report of `evaluate`; see src/report/evaluation_report.cpp.
import { lineChart, type Series } from "../chart";
import { duration, percent } from "../format";
import { card, type Common, head, layout, type Rows, scroller, settingsCard, table } from "../page";

type Figure = [mean: number, std: number];
interface Judged {
  classification?: { classifier: string; mean: number; std: number };
  regression?: { forest: string; r2: number; std: number };
  clustering?: { accuracy: number; nmi: number; ari: number; std: number; nmi_std: number; ari_std: number };
  reconstruction?: { r2: number; std: number };
}
/** What was chosen, and what it is compared with. */
type Entry = Judged & { k: number; random?: Judged; all?: Judged };
type Curve = { removed: number; mean: number; std: number }[];

interface EvaluationData extends Common {
  ranking: string;
  entries: Entry[];
  removal?: { least_important_first: Curve; most_important_first: Curve };
  costs: Common["costs"] & { evaluate_seconds: number };
}

const asPercent = (value: number): string => percent(value);
const asShare = (value: number): string => value.toFixed(2).replace(/^-0\.00$/, "0.00");
const withSpread = ([mean, std]: Figure, format: (value: number) => string): string =>
  `${format(mean).replace("\u00a0%", "")} ± ${format(std)}`;

export function evaluationReport(data: EvaluationData): HTMLElement[] {
  const entries = [...data.entries].sort((a, b) => a.k - b.k);
  const classifier = entries[0]?.classification?.classifier.replace("-", " ");
  const forest = entries[0]?.regression?.forest.replace("-", " ");
  const measures: [(judged: Judged) => Figure | undefined, string, string, (value: number) => string][] = [
    [({ classification: c }) => c && [c.mean, c.std], `Classification by ${classifier}`, "Accuracy on test rows, mean ± standard deviation of the runs.", asPercent],
    [({ regression: r }) => r && [r.r2, r.std], `Prediction by ${forest}`, "Share of the labels' variance that is predicted on test rows, R²; below 0 is worse than their mean.", asPercent],
    [({ clustering: c }) => c && [c.accuracy, c.std], "Clustering by k-means", "Accuracy of the clusters, matched to the classes.", asPercent],
    [({ clustering: c }) => c && [c.nmi, c.nmi_std], "Clustering: mutual information", "Normalised: 0 is chance, 1 is perfect.", asShare],
    [({ clustering: c }) => c && [c.ari, c.ari_std], "Clustering: adjusted Rand index", "0 is chance, 1 is perfect.", asShare],
    [({ reconstruction: r }) => r && [r.r2, r.std], "Reconstruction of all features", "Share of the variance of all features that a linear model rebuilds, on test rows.", asPercent],
  ];

  const parts: HTMLElement[] = [];
  const shown = measures.filter(([figure]) => entries.some(figure));
  for (const [figure, title, note, format] of shown) {
    const series: Series[] = [];
    const add = (who: (entry: Entry) => Judged | undefined, name: string, look: string): void => {
      const have = entries.flatMap((entry) => {
        const found = figure(who(entry) ?? {});
        return found ? [{ k: entry.k, mean: found[0], std: found[1] }] : [];
      });
      if (have.length === 0) return;
      series.push({ name, x: have.map((one) => one.k), y: have.map((one) => one.mean), spread: have.map((one) => one.std), look });
    };
    add((entry) => entry.all, "all features", "s2 dashed");
    add((entry) => entry.random, "random features", "s1");
    add((entry) => entry, "chosen features", "s0");
    const chart = lineChart({ title, x: "K", y: title, series, format, wholeX: true, top: 1 });
    parts.push(card(title, note, chart.element));
  }

  if (data.removal) {
    const curve = (c: Curve, name: string, look: string): Series => ({
      name,
      x: c.map((point) => point.removed),
      y: c.map((point) => point.mean),
      spread: c.map((point) => point.std),
      look,
    });
    const chart = lineChart({
      title: `${forest ? "R²" : "Accuracy"} without some features`,
      x: "features removed",
      y: forest ? "R²" : "accuracy",
      series: [
        curve(data.removal.least_important_first, "least important first", "s0"),
        curve(data.removal.most_important_first, "most important first", "s3"),
      ],
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
    ...shown.map(([figure, , , format]) => {
      const found = figure(judged);
      return found ? withSpread(found, format) : "–";
    }),
  ];
  const rows: Rows = entries.flatMap((entry) => [
    row(entry.k, "best", entry),
    ...(entry.random ? [row(entry.k, "random", entry.random)] : []),
  ]);
  const all = entries.find((entry) => entry.all)?.all;
  if (all) rows.push(row(data.data.features, "all", all));
  parts.push(
    card(
      "All figures",
      "",
      scroller({}, table("Mean ± standard deviation", ["K", "features", ...shown.map(([, title]) => title)], rows)),
    ),
    settingsCard(data, [
      ["ranking", data.ranking],
      ["time of the evaluation", duration(data.costs.evaluate_seconds)],
    ]),
  );
  return [head(data, `The ranking ${data.ranking}, judged on ${data.data.source}`), layout([], parts)];
}
