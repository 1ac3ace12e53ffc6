// report/src/correlations.ts: the map of correlations among the chosen features.
import { el, newId } from "./dom";
import { count, plural, shortName } from "./format";
import { card, numbersBehind } from "./page";
import { pixels } from "./pixels";

export interface Correlations {
  count: number; // of the best features
  rows: number;
  percent: number[]; // lower triangle: 1:0, 2:0, 2:1, 3:0, …
}

const MOST_PAIRS = 300;

export function correlationCard(
  data: Correlations,
  nameAt: (rank: number) => string,
): { element: HTMLElement; setK(k: number): void } {
  let shown = 0;
  let order: number[] = [];
  let cursor: [number, number] = [0, 0];
  const at = (i: number, j: number): number =>
    i === j ? 100 : data.percent[(Math.max(i, j) * (Math.max(i, j) - 1)) / 2 + Math.min(i, j)];
  const label = (rank: number): string => `${rank + 1}. ${shortName(nameAt(rank))}`;

  const map = pixels(1, 1, "Correlations among the chosen features. Arrow keys read the values.", "diverging");
  map.element.classList.add("map");
  map.element.tabIndex = 0;
  const readout = el("p", { class: "readout", "aria-live": "polite" });
  const summary = el("p", { class: "note" });
  const select = el(
    "select",
    { id: newId("order"), change: () => show() },
    el("option", { value: "similar" }, "similar ones together"),
    el("option", { value: "rank" }, "by rank"),
  );

  /** From the best feature on, always the unseen one that is most like the last. */
  function chain(): number[] {
    const left = new Set(Array.from({ length: shown }, (_, i) => i));
    const path = [0];
    left.delete(0);
    while (left.size > 0) {
      const last = path[path.length - 1];
      let best = -1;
      for (const i of left) if (best < 0 || Math.abs(at(i, last)) > Math.abs(at(best, last))) best = i;
      path.push(best);
      left.delete(best);
    }
    return path;
  }

  const pairs = (): [number, number][] => {
    const list: [number, number][] = [];
    for (let i = 1; i < shown; ++i) for (let j = 0; j < i; ++j) list.push([j, i]);
    return list.sort((a, b) => Math.abs(at(...b)) - Math.abs(at(...a)));
  };
  const numbers = numbersBehind("The most correlated pairs", ["feature", "feature", "correlation"], () =>
    pairs()
      .slice(0, MOST_PAIRS)
      .map(([i, j]) => [el("bdi", {}, label(i)), el("bdi", {}, label(j)), (at(i, j) / 100).toFixed(2)]),
  );

  function show(): void {
    order = select.value === "rank" ? Array.from({ length: shown }, (_, i) => i) : chain();
    const levels = order.flatMap((i) => order.map((j) => Math.round(((at(i, j) + 100) / 200) * 255)));
    map.set(levels, shown, shown);
    const strong = pairs().filter(([i, j]) => Math.abs(at(i, j)) >= 80).length;
    summary.textContent =
      `The first ${plural(shown, "feature")}, on ${plural(data.rows, "row")}: ` +
      (shown > 1 ? `${count(strong)} of ${plural((shown * (shown - 1)) / 2, "pair")} correlate by 0.8 or more.` : "");
    numbers.dispatchEvent(new Event("refresh"));
  }

  function point(row: number, column: number): void {
    const inside = (i: number): number => Math.max(0, Math.min(shown - 1, i));
    cursor = [inside(row), inside(column)];
    const [i, j] = cursor.map((c) => order[c]);
    readout.replaceChildren(
      el("bdi", {}, label(i)),
      " and ",
      el("bdi", {}, label(j)),
      `: ${(at(i, j) / 100).toFixed(2)}`,
    );
  }
  map.element.addEventListener("pointermove", (event) => {
    const box = map.element.getBoundingClientRect();
    point(
      Math.floor(((event.clientY - box.top) / box.height) * shown),
      Math.floor(((event.clientX - box.left) / box.width) * shown),
    );
  });
  map.element.addEventListener("keydown", (event) => {
    const step: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    if (!(event.key in step)) return;
    event.preventDefault();
    point(cursor[0] + step[event.key][0], cursor[1] + step[event.key][1]);
  });

  const scale = pixels(101, 1, "Colours from −1 to 1", "diverging");
  scale.element.classList.add("scale");
  scale.set(Array.from({ length: 101 }, (_, i) => Math.round(i * 2.55)));

  return {
    element: card(
      "Correlations among the chosen features",
      "",
      summary,
      el("div", { class: "controls" }, el("label", { for: select.id }, "Order"), select),
      el("figure", { class: "square" }, map.element, el("p", { class: "ends" }, "−1", scale.element, "1"), readout, numbers),
    ),
    setK(k: number): void {
      const now = Math.min(k, data.count);
      if (now === shown) return;
      shown = now;
      show();
    },
  };
}
