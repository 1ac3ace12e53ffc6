// report/src/chart.ts: lines over a number, with spread, a cut, a readout for pointer and keyboard.
import { el, svg } from "./dom";
import { count, number } from "./format";
import { numbersBehind } from "./page";
import { between, extent, line, linear, nearest, nice } from "./scale";

export interface Series {
  name: string;
  x: number[];
  y: number[];
  spread?: number[]; // half the height of the band around y
  look: string; // class: s0, s1, … for colours; "faint", "dashed" may be added
  group?: string; // what the legend calls it; series of one group share an entry
}

export interface ChartOptions {
  title: string;
  x: string;
  y: string;
  series: Series[];
  fromZero?: boolean;
  top?: number; // the axis ends here at the latest
  wholeX?: boolean;
  format?: (value: number) => string;
  cut?: { at: number; text: (at: number) => string };
  shade?: boolean; // fill below the first series, up to the cut
}

export interface Chart {
  element: HTMLElement;
  moveCut(at: number): void;
}

const MARGIN = { top: 10, right: 14, bottom: 38, left: 58 };
const MOST_POINTS = 1200;
const MOST_DOTS = 40;

/** Every step-th index, the last one, and those around `keep`. */
function thin(length: number, keep: number): number[] {
  const step = Math.max(1, Math.floor(length / MOST_POINTS));
  const kept: number[] = [];
  for (let i = 0; i < length; ++i)
    if (i % step === 0 || i === length - 1 || Math.abs(i - keep) <= 1) kept.push(i);
  return kept;
}

export function lineChart(options: ChartOptions): Chart {
  const { series } = options;
  const show = options.format ?? number;
  const place = options.wholeX ? count : number; // a rank has all its digits
  const spreadOf = (s: Series, i: number): number => s.spread?.[i] ?? 0;
  const [xLeast, xMost] = extent(series.flatMap((s) => s.x));
  let [yLeast] = extent(series.flatMap((s) => s.y.map((y, i) => y - spreadOf(s, i))));
  let [, yMost] = extent(series.flatMap((s) => s.y.map((y, i) => y + spreadOf(s, i))));
  if (options.fromZero) yLeast = Math.min(0, yLeast);
  if (!(yMost > yLeast)) [yLeast, yMost] = [yLeast - 0.5, yMost + 0.5];

  const plot = svg("svg", {
    class: "chart",
    role: "img",
    tabindex: "0",
    "aria-label": `${options.title}. Arrow keys read the values.`,
  });
  const readout = el("p", { class: "readout", "aria-live": "polite" });
  const element = el("figure", {}, plot, readout);

  const groups = new Map<string, string>();
  for (const s of [...series].reverse()) if (!groups.has(s.group ?? s.name)) groups.set(s.group ?? s.name, s.look);
  if (groups.size > 1)
    element.prepend(
      el(
        "ul",
        { class: "legend" },
        // What is drawn last lies on top and matters most.
        ...[...groups].map(([name, look]) => el("li", { class: look }, el("i", { class: "key" }), name)),
      ),
    );
  element.append(
    numbersBehind(
      options.title,
      series.length === 1 ? [options.x, options.y] : ["line", options.x, options.y, "±"],
      () =>
        series.length === 1
          ? series[0].x.map((x, i) => [place(x), show(series[0].y[i])])
          : series.flatMap((s) =>
              s.x.map((x, i) => [s.name, place(x), show(s.y[i]), s.spread ? show(s.spread[i]) : ""]),
            ),
    ),
  );

  let width = 0;
  let cutAt = options.cut?.at ?? 0;
  let cursor = -1; // index into the longest series
  const guide = series.reduce((a, b) => (b.x.length > a.x.length ? b : a));
  const height = 250;
  const right = (): number => width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  [yLeast, yMost] = nice([yLeast, yMost], 5);
  yMost = Math.min(yMost, options.top ?? Infinity);
  const yScale = linear([yLeast, yMost], [bottom, MARGIN.top]);
  const y = (value: number): number => Math.max(MARGIN.top, Math.min(bottom, yScale(value)));
  let x = linear([0, 1], [0, 1]);

  const cursorMarks = svg("g", { class: "cursor" });
  const cutMarks = svg("g", { class: "cut" });

  function drawAxes(): SVGElement {
    const group = svg("g", { class: "axes" });
    for (const tick of yScale.ticks(5))
      group.append(
        svg("line", { class: "grid", x1: MARGIN.left, x2: right(), y1: y(tick), y2: y(tick) }),
        svg("text", { class: "tick end", x: MARGIN.left - 8, y: y(tick) + 4 }, show(tick).replace(/\.0+(?=\D|$)/, "")),
      );
    const ticks = x.ticks(Math.max(2, Math.floor(width / 110)));
    for (const tick of options.wholeX ? ticks.filter(Number.isInteger) : ticks)
      group.append(
        svg("line", { class: "tickmark", x1: x(tick), x2: x(tick), y1: bottom, y2: bottom + 5 }),
        svg("text", { class: "tick middle", x: x(tick), y: bottom + 18 }, place(tick)),
      );
    group.append(
      svg("line", { class: "base", x1: MARGIN.left, x2: right(), y1: bottom, y2: bottom }),
      svg("text", { class: "label end", x: right(), y: height - 3 }, options.x),
    );
    return group;
  }

  function drawSeries(s: Series): SVGElement {
    const group = svg("g", { class: `series ${s.look}` });
    const points = thin(s.x.length, Math.round(cutAt) - 1);
    const px = (i: number): number => x(s.x[i]);
    if (s.spread) {
      const edge = (sign: number): [number, number][] => points.map((i) => [px(i), y(s.y[i] + sign * spreadOf(s, i))]);
      group.append(svg("path", { class: "band", d: between(edge(1), edge(-1)) }));
    }
    group.append(svg("path", { class: "line", d: line(points.map((i) => [px(i), y(s.y[i])])) }));
    if (s.x.length <= MOST_DOTS && series.length <= 6)
      for (const i of points) {
        if (s.spread && s.x.length === 1)
          group.append(
            svg("line", {
              class: "line",
              x1: px(i),
              x2: px(i),
              y1: y(s.y[i] - spreadOf(s, i)),
              y2: y(s.y[i] + spreadOf(s, i)),
            }),
          );
        group.append(svg("circle", { class: "dot", cx: px(i), cy: y(s.y[i]), r: 3.5 }));
      }
    return group;
  }

  function drawCut(): void {
    cutMarks.replaceChildren();
    if (!options.cut) return;
    const at = x(cutAt + 0.5);
    const late = at > width * 0.6;
    if (options.shade) {
      const chosen = thin(Math.min(Math.round(cutAt), guide.x.length), -9);
      const edge = (up: (i: number) => number): [number, number][] => chosen.map((i) => [x(guide.x[i]), up(i)]);
      cutMarks.append(svg("path", { class: "shade", d: between(edge((i) => y(guide.y[i])), edge(() => bottom)) }));
    }
    cutMarks.append(
      svg("line", { x1: at, x2: at, y1: MARGIN.top, y2: bottom }),
      svg(
        "text",
        { class: late ? "end" : "start", x: at + (late ? -6 : 6), y: MARGIN.top + 12 },
        options.cut.text(cutAt),
      ),
    );
  }

  function drawCursor(): void {
    cursorMarks.replaceChildren();
    if (cursor < 0) return;
    const at = guide.x[cursor];
    cursorMarks.append(svg("line", { x1: x(at), x2: x(at), y1: MARGIN.top, y2: bottom }));
    const shown = series.length <= 6 ? series : [guide];
    const values: string[] = [];
    for (const s of shown) {
      const i = s.x.indexOf(at);
      if (i < 0) continue;
      cursorMarks.append(svg("circle", { class: s.look, cx: x(at), cy: y(s.y[i]), r: 4.5 }));
      const spread = s.spread ? ` ± ${show(s.spread[i])}` : "";
      values.push(`${shown.length > 1 ? s.name : options.y} ${show(s.y[i])}${spread}`);
    }
    readout.textContent = `${options.x} ${place(at)}: ${values.join(", ")}`;
  }

  function draw(): void {
    plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    x = linear(xMost > xLeast ? [xLeast, xMost] : [xLeast - 1, xMost + 1], [MARGIN.left, right()]);
    plot.replaceChildren(drawAxes(), cutMarks, ...series.map(drawSeries), cursorMarks);
    drawCut();
    drawCursor();
  }

  function moveCursor(to: number): void {
    cursor = Math.max(0, Math.min(guide.x.length - 1, to));
    drawCursor();
  }

  plot.addEventListener("pointermove", (event) => {
    const box = plot.getBoundingClientRect();
    const at = x.invert(((event.clientX - box.left) / box.width) * width);
    moveCursor(nearest(guide.x, at));
  });
  plot.addEventListener("pointerleave", () => {
    cursor = -1;
    readout.textContent = "";
    drawCursor();
  });
  plot.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? Math.max(1, Math.round(guide.x.length / 20)) : 1;
    const target: Record<string, number> = {
      ArrowRight: cursor + step,
      ArrowLeft: cursor - step,
      Home: 0,
      End: guide.x.length - 1,
    };
    if (!(event.key in target)) return;
    event.preventDefault();
    moveCursor(target[event.key]);
  });

  new ResizeObserver(([entry]) => {
    const now = Math.max(240, Math.round(entry.contentRect.width));
    if (now === width) return;
    width = now;
    draw();
  }).observe(element);

  return {
    element,
    moveCut(at: number): void {
      cutAt = at;
      if (width > 0) drawCut();
    },
  };
}
