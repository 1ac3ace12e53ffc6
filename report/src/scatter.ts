// report/src/scatter.ts: named or coloured points over two numbers.
import { el, svg } from "./dom";
import { number, shortName } from "./format";
import { numbersBehind } from "./page";
import { extent, linear, logarithmic, nice } from "./scale";

export interface Point {
  name: string;
  x: number;
  y: number;
  look: string;
}
export interface ScatterOptions {
  title: string;
  x: string;
  y: string;
  logX?: boolean;
  named?: boolean; // names beside the points
  showX?: (value: number) => string;
  showY?: (value: number) => string;
  what: string; // what a point is
}

const MARGIN = { top: 26, right: 16, bottom: 38, left: 58 };
const HEIGHT = 300;
const LINE = 14; // of a name

/** Moves names apart that would cover each other; returns where each one stands. */
function apart(points: { x: number; y: number }[], reach: number): number[] {
  const order = points.map((_, i) => i).sort((a, b) => points[a].y - points[b].y);
  const at = points.map((point) => point.y);
  order.forEach((i, n) => {
    for (const j of order.slice(0, n))
      if (Math.abs(points[i].x - points[j].x) < reach && at[i] < at[j] + LINE) at[i] = Math.max(at[i], at[j] + LINE);
  });
  return at;
}

export function scatterChart(options: ScatterOptions): { element: HTMLElement; show(points: Point[], names?: Partial<ScatterOptions>): void } {
  let current = { ...options };
  let points: Point[] = [];
  let width = 0;
  const plot = svg("svg", { class: "chart", role: "img" });
  const numbers = numbersBehind(options.title, [options.what, "across", "up"], () =>
    points.map((point) => [point.name, (current.showX ?? number)(point.x), (current.showY ?? number)(point.y)]),
  );
  const element = el("figure", {}, plot, numbers);

  function draw(): void {
    if (width === 0) return;
    const showX = current.showX ?? number;
    const showY = current.showY ?? number;
    const [right, bottom] = [width - MARGIN.right, HEIGHT - MARGIN.bottom];
    plot.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    plot.setAttribute("aria-label", `${current.title}: ${current.y} over ${current.x}. The numbers are in the table below.`);
    plot.replaceChildren();
    if (points.length === 0) return;
    const widen = ([least, most]: [number, number]): [number, number] =>
      most > least ? [least, most] : [least - Math.abs(least) * 0.1 - 1e-9, most + Math.abs(most) * 0.1 + 1e-9];
    const xs = widen(extent(points.map((point) => point.x)));
    const ys = widen(extent(points.map((point) => point.y)));
    const y = linear(nice(ys, 5), [bottom, MARGIN.top]);
    const x = (current.logX ? logarithmic : linear)(xs, [MARGIN.left + 8, right - (current.named ? 80 : 8)]);
    for (const tick of y.ticks(5))
      plot.append(
        svg("line", { class: "grid", x1: MARGIN.left, x2: right, y1: y(tick), y2: y(tick) }),
        svg("text", { class: "tick end", x: MARGIN.left - 8, y: y(tick) + 4 }, showY(tick)),
      );
    const wanted = Math.max(2, Math.floor(width / 120));
    const ticks = x.ticks(wanted);
    const every = Math.max(1, Math.ceil(ticks.length / wanted));
    ticks.forEach((tick, i) => {
      if (i % every !== 0) return;
      plot.append(
        svg("line", { class: "tickmark", x1: x(tick), x2: x(tick), y1: bottom, y2: bottom + 5 }),
        svg("text", { class: "tick middle", x: x(tick), y: bottom + 18 }, showX(tick)),
      );
    });
    plot.append(
      svg("line", { class: "base", x1: MARGIN.left, x2: right, y1: bottom, y2: bottom }),
      svg("text", { class: "label end", x: right, y: HEIGHT - 3 }, current.x),
      svg("text", { class: "label start", x: 4, y: 12 }, current.y),
    );
    const places = points.map((point) => ({ x: x(point.x), y: y(point.y) }));
    const names = current.named ? apart(places, 90) : [];
    points.forEach((point, i) => {
      const group = svg("g", { class: `mark ${point.look}` });
      const dot = svg("circle", { class: "dot", cx: places[i].x, cy: places[i].y, r: current.named ? 5 : 3 });
      dot.append(svg("title", {}, `${point.name}: ${showX(point.x)}, ${showY(point.y)}`));
      group.append(dot);
      if (current.named)
        group.append(svg("text", { class: "start", x: places[i].x + 8, y: names[i] + 4 }, shortName(point.name, 14)));
      plot.append(group);
    });
  }
  new ResizeObserver(([entry]) => {
    width = Math.max(240, Math.round(entry.contentRect.width));
    draw();
  }).observe(element);
  return {
    element,
    show(now, names = {}): void {
      points = now;
      current = { ...current, ...names };
      draw();
      numbers.dispatchEvent(new Event("refresh"));
    },
  };
}
