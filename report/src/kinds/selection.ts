// report/src/kinds/selection.ts: the report of `select` and `demo`; see src/report/selection_report.cpp.
import { lineChart, type Series } from "../chart";
import { type Correlations, correlationCard } from "../correlations";
import type { Ranked } from "../csv";
import { el, newId } from "../dom";
import { type Column, featureTable } from "../features";
import { count, duration, number, percent, plural, shortName } from "../format";
import { card, type Common, head, layout, scroller, settingsCard, table } from "../page";
import { type Classes, classPictures, type ImageData, strengthPicture } from "../pictures";

interface SelectionData extends Common {
  method: string;
  k: number;
  ranking: number[];
  scores: number[]; // in the order of the ranking
  names?: string[]; // in the order of the ranking
  tail?: { ranks: number[]; scores: number[] };
  relevant?: number[];
  loss?: number[];
  strengths?: { epochs: number[]; features: number[]; values: number[][] };
  correlations?: Correlations;
  image?: ImageData;
  classes?: Classes;
  stability?: {
    runs: number;
    k: number;
    overlap: number;
    overlap_by_chance: number;
    index: number;
    lower: number;
    upper: number;
    near_chance: boolean;
    text: string;
    frequency: number[]; // in the order of the ranking
  };
  explained?: {
    near_chance: boolean;
    text: string;
    together: number;
    curve: { k: number[]; chosen: number[]; random: number[]; spread: number[]; cover: number[] };
  };
  costs: Common["costs"] & { select_seconds: number };
}

/** How clear the cut is, in words. */
function cutInWords(data: SelectionData, k: number, score: string): string {
  const scores = data.scores;
  if (k >= scores.length) return "Every listed feature is chosen.";
  if (data.method === "cover")
    return (
      "The scores of cover only say in which order features were chosen, not how clear the cut is." +
      (data.explained ? " The chart below shows what each K explains." : "")
    );
  const [above, below, best] = [scores[k - 1], scores[k], scores[0]];
  const fall = above !== 0 ? (above - below) / Math.abs(above) : 0;
  let close = 0;
  while (k + close < scores.length && scores[k + close] >= above - 0.05 * Math.abs(best)) ++close;
  return (
    `From rank ${count(k)} to ${count(k + 1)} the ${score} falls by ${percent(fall)}. ` +
    (close === 0
      ? `No rejected feature comes within 5 % of the best one's ${score}: the cut is clear.`
      : `${plural(close, "rejected feature")} ${close === 1 ? "is" : "are"} less than 5 % of the best one's ${score} behind: ${close === 1 ? "it is" : "they are"} nearly as strong.`)
  );
}

function strengthLines(data: SelectionData, nameOf: (feature: number) => string, score: string): HTMLElement {
  const { epochs, features, values } = data.strengths!;
  const rankOf = new Map(data.ranking.map((feature, r) => [feature, r]));
  const series: Series[] = features.map((feature, i) => {
    const chosen = (rankOf.get(feature) ?? Infinity) < data.k;
    return {
      name: `${shortName(nameOf(feature))} (${chosen ? "chosen" : "rejected"})`,
      x: epochs,
      y: values[i],
      look: chosen ? "s0 thin" : "s1 thin",
      group: chosen ? "chosen" : "rejected",
    };
  });
  series.reverse(); // the best ones on top
  const chosen = series.filter((s) => s.group === "chosen").length;
  const rejected = series.length - chosen;
  const chart = lineChart({
    title: `${score} over the epochs`,
    x: "epoch",
    y: score,
    series,
    fromZero: true,
    wholeX: true,
  });
  return card(
    `The ${score} over the epochs`,
    `The best ${plural(chosen, "chosen feature")}` +
      (rejected > 0 ? ` and ${plural(rejected, "rejected one")}, spread over all ranks.` : "."),
    chart.element,
  );
}

function stabilityCard(data: SelectionData, nameAt: (rank: number) => string): HTMLElement {
  const { runs, k, overlap, overlap_by_chance, index, lower, upper, near_chance, text, frequency } = data.stability!;
  const often = frequency.map((share, r) => [share, r]).filter(([share]) => share > 0);
  often.sort(([a, i], [b, j]) => b - a || i - j);
  const chart = lineChart({
    title: `share of ${count(runs)} runs that chose a feature, most often chosen first`,
    x: "place",
    y: "share of the runs",
    series: [{ name: "share", x: often.map((_, i) => i + 1), y: often.map(([share]) => share), look: "s3" }],
    fromZero: true,
    wholeX: true,
    format: (share) => percent(share, 0),
    cut: { at: k, text: (at) => `K = ${count(at)}` },
  });
  const rows: [string, string][] = [
    ["runs", count(runs)],
    [`two runs have in common, of ${count(k)}`, `${number(overlap * k)} (by chance ${number(overlap_by_chance * k)})`],
    ["stability index (0 is chance, 1 always the same)", `${index.toFixed(2)}, 95 % interval ${lower.toFixed(2)} to ${upper.toFixed(2)}`],
    ["chosen by every run", plural(often.filter(([share]) => share >= 1).length, "feature")],
    ["chosen by at least one run", plural(often.length, "feature")],
    ["most often chosen", often.slice(0, 5).map(([, r]) => shortName(nameAt(r), 16)).join(", ")],
  ];
  return card(
    "Stability",
    "",
    el("p", { class: near_chance ? "warning" : "verdict" }, text),
    chart.element,
    scroller({ class: "settings" }, table("What the runs have in common", ["figure", "value"], rows)),
  );
}

function explainedCard(data: SelectionData): HTMLElement {
  const { near_chance, text, curve } = data.explained!;
  const series: Series[] = [{ name: "random features", x: curve.k, y: curve.random, spread: curve.spread, look: "s1" }];
  if (data.method !== "cover") series.push({ name: "cover", x: curve.k, y: curve.cover, look: "s2 dashed" });
  series.push({ name: `chosen by ${data.method}`, x: curve.k, y: curve.chosen, look: "s0" });
  const chart = lineChart({
    title: "share of what can be predicted that the first K features explain",
    x: "K",
    y: "share explained",
    series,
    fromZero: true,
    wholeX: true,
    format: (share) => percent(share, 0),
    cut: { at: data.k, text: (at) => `K = ${count(at)}` },
  });
  return card(
    "What the chosen features explain",
    "Without labels: of what the features share with each other, how much do the first K have, or predict on rows left out?",
    el("p", { class: near_chance ? "warning" : "verdict" }, text),
    chart.element,
  );
}

export function selectionReport(data: SelectionData): HTMLElement[] {
  const score = data.method === "quickselection" ? "strength" : "score";
  const listed = data.ranking.length;
  const total = data.tail ? data.tail.ranks[data.tail.ranks.length - 1] : listed;
  const nameAt = (r: number): string => data.names?.[r] ?? String(data.ranking[r]);
  const often = data.stability?.frequency;
  const ranked: Ranked = {
    ranking: data.ranking,
    scores: data.scores,
    frequency: often,
    nameAt,
    hasNames: data.names !== undefined,
    width: data.image?.width,
  };
  // What a person reads: a pixel is a place, a column without a name a number.
  const labelOf = (feature: number): string => {
    if (data.names && rankOf.has(feature)) return nameAt(rankOf.get(feature)!);
    if (!data.image) return String(feature);
    return `row ${Math.floor(feature / data.image.width)}, column ${feature % data.image.width}`;
  };
  const labelAt = (r: number): string => labelOf(data.ranking[r]);
  const rankOf = new Map(data.ranking.map((feature, r) => [feature, r]));
  const listeners: ((k: number) => void)[] = [];

  // The sorted scores, with the cut.
  const ranks = Array.from({ length: listed }, (_, r) => r + 1).concat(data.tail?.ranks ?? []);
  const scores = data.scores.concat(data.tail?.scores ?? []);
  const chart = lineChart({
    title: `${score} of all features, strongest first`,
    x: "rank",
    y: score,
    series: [{ name: score, x: ranks, y: scores, look: "s0" }],
    fromZero: true,
    wholeX: true,
    cut: { at: data.k, text: (k) => `K = ${count(k)}` },
    shade: true,
  });
  const slider = el("input", { type: "range", class: "k", id: newId("k"), min: 1, max: listed, value: data.k });
  const box = el("input", {
    type: "number",
    class: "k",
    min: 1,
    max: listed,
    value: data.k,
    "aria-label": "Features to choose, as a number",
  });
  const words = el("p", { class: "verdict", "aria-live": "polite" });
  const setK = (k: number): void => listeners.forEach((listener) => listener(k));
  slider.addEventListener("input", () => setK(Number(slider.value)));
  box.addEventListener("change", () => {
    const asked = Math.round(Number(box.value));
    setK(Math.max(1, Math.min(listed, asked > 0 ? asked : data.k)));
  });
  listeners.push((k) => {
    slider.value = box.value = String(k);
    words.textContent = cutInWords(data, k, score);
    chart.moveCut(k);
  });
  const cut = card(
    `The ${score} of all features, sorted`,
    "Move the cut to see what another K would choose." + (data.loss ? " One training ranks all features, for every K." : ""),
    chart.element,
    el("div", { class: "controls" }, el("label", { for: slider.id }, "Features to choose (K)"), slider, box),
    words,
  );

  // The table.
  const extra: Column[] = [];
  if (data.relevant) {
    const relevant = new Set(data.relevant);
    extra.push({
      name: "carries signal",
      text: (r) => (relevant.has(data.ranking[r]) ? "yes" : "no"),
      value: (r) => (relevant.has(data.ranking[r]) ? "yes" : "no"),
      isText: true,
    });
  }
  if (often)
    extra.push({ name: "chosen in runs", text: (r) => percent(often[r], 0), value: (r) => often[r] });
  const features = featureTable(ranked, score, total, extra, listed === total);
  listeners.push((k) => features.setK(k));

  const parts: HTMLElement[] = [];
  if (data.explained) parts.push(explainedCard(data));
  if (data.stability) parts.push(stabilityCard(data, labelAt));
  if (data.loss && data.loss.length > 0) {
    const epochs = data.loss.map((_, e) => e + 1);
    const loss = lineChart({
      title: "loss of each epoch",
      x: "epoch",
      y: "loss",
      series: [{ name: "loss", x: epochs, y: data.loss, look: "s2" }],
      wholeX: true,
    });
    parts.push(card("The loss of each epoch", `${number(data.loss[0])} at first, ${number(data.loss[data.loss.length - 1])} at the end.`, loss.element));
  }
  if (data.strengths) parts.push(strengthLines(data, labelOf, score));
  if (data.image) {
    const picture = strengthPicture(data.image, data.ranking, score);
    listeners.push((k) => picture.setK(k));
    parts.push(picture.element);
    if (data.classes) {
      const averages = classPictures(data.classes, data.image, data.ranking);
      listeners.push((k) => averages.setK(k));
      parts.push(averages.element);
    }
  }
  if (data.correlations) {
    const map = correlationCard(data.correlations, labelAt);
    listeners.push((k) => map.setK(k));
    parts.push(map.element);
  }
  parts.push(
    settingsCard(data, [
      ["method", data.method],
      ["time of the selection", duration(data.costs.select_seconds)],
    ]),
  );
  setK(Math.min(data.k, listed));
  return [head(data, `Chosen by ${data.method} from ${data.data.source}`), layout([cut, features.element], parts)];
}
