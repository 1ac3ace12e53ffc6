// report/src/page.ts: what all kinds of report share: head, tiles, cards, tables behind charts.
import { type Child, el, newId } from "./dom";
import { bytes, count, duration, number } from "./format";

/** What the program writes for every kind; see src/report/page.h. */
export interface Common {
  kind: string;
  headline: string[];
  data: {
    source: string;
    rows: number;
    features: number;
    type: string;
    sparse: boolean;
    notes: string[];
    classes?: number;
  };
  settings: [string, string][];
  costs: {
    seconds: number;
    read_seconds: number;
    peak_bytes: number;
    joules: number;
    energy_source: string;
    parameters?: number;
  };
  warnings: string[];
  notes: string[];
}

export type Rows = Child[][];

/** A plain table. Numbers are told from their text and stand right. */
export function table(caption: string, header: string[], rows: Rows): HTMLTableElement {
  const isNumber = (cell: Child): boolean => typeof cell === "string" && /^[-\u2212+]?[\d.,]+(e[-+]\d+)?( \u00b1 [\d.,]+)?(\u00a0%)?$/.test(cell);
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...header.map((name) => el("th", { scope: "col" }, name)))),
    el(
      "tbody",
      {},
      ...rows.map((row) =>
        el("tr", {}, ...row.map((cell) => el("td", isNumber(cell) ? { class: "number" } : {}, cell))),
      ),
    ),
  );
}

/** A box that scrolls, and fades where there is more to see: a cut table must not look like a whole one. */
export function scroller(attributes: Record<string, string>, ...children: Child[]): HTMLElement {
  const box = el("div", { ...attributes, class: `scroll ${attributes.class ?? ""}` }, ...children);
  const mark = (): void => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = box;
    box.classList.toggle("more-left", scrollLeft > 1);
    box.classList.toggle("more-right", scrollLeft + clientWidth < scrollWidth - 1);
    box.classList.toggle("more-above", scrollTop > 1);
    box.classList.toggle("more-below", scrollTop + clientHeight < scrollHeight - 1);
  };
  box.addEventListener("scroll", mark);
  new ResizeObserver(mark).observe(box);
  new MutationObserver(mark).observe(box, { childList: true, subtree: true });
  return box;
}

const MOST_ROWS = 1000;

/** The numbers behind a chart, made when they are asked for. */
export function numbersBehind(caption: string, header: string[], rows: () => Rows): HTMLDetailsElement {
  const place = scroller({ tabindex: "0", role: "region", "aria-label": caption });
  const show = (): void => {
    const all = rows();
    const cut = all.length > MOST_ROWS;
    const title = cut ? `${caption} (the first ${count(MOST_ROWS)} of ${count(all.length)})` : caption;
    place.replaceChildren(table(title, header, all.slice(0, MOST_ROWS)));
  };
  const details = el("details", { class: "numbers" }, el("summary", {}, "Show the numbers"), place);
  details.addEventListener("toggle", () => details.open && show());
  details.addEventListener("refresh", () => details.open && show());
  return details;
}

/** One part of the page, with a heading of its own. */
export function card(title: string, note: string, ...children: Child[]): HTMLElement {
  const id = newId("part");
  return el(
    "section",
    { class: "card", "aria-labelledby": id },
    el("h2", { id }, title),
    note !== "" && el("p", { class: "note" }, note),
    ...children,
  );
}

const tile = (name: string, value: string, more = ""): HTMLElement =>
  el("div", { class: "tile" }, el("dt", {}, name), el("dd", {}, value, more !== "" && el("small", {}, more)));

/** Title, warnings, and what it cost. */
export function head(report: Common, sentence: string): HTMLElement {
  const { data, costs } = report;
  const [first, ...others] = report.headline;
  const shape = `${count(data.rows)} rows × ${count(data.features)} features`;
  const stored = data.sparse ? `${data.type}, sparse` : data.type;
  return el(
    "header",
    {},
    ...report.warnings.map((text) => el("p", { class: "warning", role: "note" }, text)),
    el("h1", {}, [first, ...others].join("; ")),
    el("p", { class: "source" }, sentence),
    el(
      "dl",
      { class: "tiles" },
      tile("Data", shape, data.classes ? `${stored}, ${count(data.classes)} classes` : stored),
      tile("Time", duration(costs.seconds), costs.read_seconds > 0 ? `reading ${duration(costs.read_seconds)}` : ""),
      tile("Peak memory", bytes(costs.peak_bytes)),
      tile("Energy", `${number(costs.joules)} J`, costs.energy_source),
      costs.parameters ? tile("Parameters", count(costs.parameters)) : null,
    ),
  );
}

/** The first cards side by side where there is room, the others in columns without holes. */
export const layout = (first: HTMLElement[], others: HTMLElement[]): HTMLElement =>
  el(
    "main",
    {},
    first.length > 0 && el("div", { class: "beside" }, ...first),
    el("div", { class: "flow" }, ...others),
  );

export function settingsCard(report: Common, more: [string, string][] = []): HTMLElement {
  const rows: Rows = [["data", el("bdi", {}, report.data.source)], ...more, ...report.settings];
  const notes = [...report.data.notes, ...report.notes];
  return card(
    "Settings",
    "",
    notes.length > 0 && el("ul", {}, ...notes.map((text) => el("li", {}, text))),
    scroller({ class: "settings" }, table("Everything that was set", ["setting", "value"], rows)),
  );
}

/** Says something to a screen reader and, for a moment, to everybody. */
export function status(): HTMLElement & { say(text: string): void } {
  const element = el("span", { class: "status", role: "status" });
  return Object.assign(element, {
    say(text: string): void {
      element.textContent = text;
    },
  });
}
