// report/src/features.ts: the table of features: searched, sorted, turned page by page, copied.
import { copy, download, exact, type Ranked, rankingCsv } from "./csv";
import { el, nameElement, newId } from "./dom";
import { count, even, plural } from "./format";
import { card, scroller, status } from "./page";

export interface Column {
  name: string;
  text(rank: number): string;
  value(rank: number): number | string;
  isText?: boolean;
  bestFirst?: boolean; // when sorted by it
  exact?(rank: number): string; // for copies
}

export interface FeatureTable {
  element: HTMLElement;
  setK(k: number): void;
}

const PAGE = 50;

/** `extra` are columns behind rank, feature, name or place in the image, and score. Ranks are counted from 0 here. */
export function featureTable(
  data: Ranked,
  score: string,
  all: number,
  extra: Column[],
  wholeRanking: boolean,
): FeatureTable {
  let k = 1;
  let page = 0;
  let sortBy = 0;
  let descending = false;
  const whole = (name: string, value: (r: number) => number): Column => ({ name, text: (r) => String(value(r)), value });
  const columns: Column[] = [
    whole("rank", (r) => r + 1),
    whole("feature", (r) => data.ranking[r]),
  ];
  if (data.hasNames) columns.push({ name: "name", text: (r) => data.nameAt(r), value: (r) => data.nameAt(r), isText: true });
  const { width } = data;
  if (width)
    columns.push(
      whole("row", (r) => Math.floor(data.ranking[r] / width)),
      whole("column", (r) => data.ranking[r] % width),
    );
  columns.push(
    {
      name: score,
      text: (r) => even(data.scores[r]),
      value: (r) => data.scores[r],
      exact: (r) => exact(data.scores[r]),
      bestFirst: true,
    },
    ...extra,
  );

  const search = el("input", {
    type: "search",
    id: newId("search"),
    placeholder: data.hasNames ? "name or number" : "number of a feature",
    autocomplete: "off",
    spellcheck: "false",
    input: () => turnTo(0),
  });
  const which = el(
    "select",
    { id: newId("which"), change: () => turnTo(0) },
    el("option", { value: "chosen" }, "chosen"),
    el("option", { value: "all" }, "all"),
  );
  const said = status();
  const summary = el("p", { class: "summary", "aria-live": "polite" });
  const headers = columns.map((column, c) =>
    el(
      "th",
      { scope: "col", class: column.isText ? "" : "number" },
      el("button", { type: "button", class: "sort", click: () => sort(c) }, column.name),
    ),
  );
  const body = el("tbody");
  const previous = el("button", { type: "button", click: () => turnTo(page - 1) }, "Previous");
  const next = el("button", { type: "button", click: () => turnTo(page + 1) }, "Next");
  const where = el("span", { class: "where" });
  const pager = el("nav", { class: "pager", "aria-label": "Pages of the table" }, previous, where, next);

  function found(): number[] {
    const words = search.value.trim().toLowerCase();
    const length = which.value === "chosen" ? Math.min(k, data.ranking.length) : data.ranking.length;
    const ranks: number[] = [];
    for (let r = 0; r < length; ++r)
      if (
        words === "" ||
        (data.hasNames && data.nameAt(r).toLowerCase().includes(words)) ||
        String(data.ranking[r]) === words
      )
        ranks.push(r);
    const by = columns[sortBy];
    if (sortBy === 0) return descending ? ranks.reverse() : ranks;
    const collator = new Intl.Collator("en", { numeric: true });
    const keys = new Map(ranks.map((r) => [r, by.value(r)]));
    ranks.sort((a, b) => {
      const [x, y] = [keys.get(a)!, keys.get(b)!];
      return by.isText ? collator.compare(String(x), String(y)) : Number(x) - Number(y);
    });
    return descending ? ranks.reverse() : ranks;
  }

  function show(): void {
    const ranks = found();
    const pages = Math.max(1, Math.ceil(ranks.length / PAGE));
    page = Math.max(0, Math.min(page, pages - 1));
    body.replaceChildren(
      ...ranks.slice(page * PAGE, (page + 1) * PAGE).map((r) =>
        el(
          "tr",
          { class: r < k ? "chosen" : "" },
          ...columns.map((column) =>
            column.isText
              ? el("td", {}, nameElement(column.text(r)))
              : el("td", { class: "number" }, column.text(r)),
          ),
        ),
      ),
    );
    headers.forEach((header, c) => {
      if (c === sortBy) header.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    });
    summary.textContent =
      which.value === "chosen"
        ? `${count(ranks.length)} of ${plural(k, "chosen feature")}`
        : `${count(ranks.length)} of ${plural(all, "feature")}, ${count(k)} chosen`;
    where.textContent = `page ${page + 1} of ${pages}`;
    previous.disabled = page === 0;
    next.disabled = page === pages - 1;
    pager.hidden = pages === 1;
  }

  function turnTo(to: number): void {
    page = to;
    show();
  }

  function sort(by: number): void {
    descending = by === sortBy ? !descending : columns[by].bestFirst === true;
    sortBy = by;
    turnTo(0);
  }

  async function copyTable(): Promise<void> {
    const ranks = found();
    const flat = (text: string): string => text.replace(/[\t\r\n]+/g, " ");
    const lines = ranks.map((r) =>
      columns.map((column) => column.exact?.(r) ?? flat(column.text(r))).join("\t"),
    );
    const done = await copy([columns.map((column) => column.name).join("\t"), ...lines].join("\n") + "\n");
    said.say(done ? `${plural(ranks.length, "row")} copied` : "the browser refused to copy");
  }

  const element = card(
    "Features",
    "",
    el(
      "div",
      { class: "controls" },
      el("span", { class: "pair wide" }, el("label", { for: search.id }, "Search"), search),
      el("span", { class: "pair" }, el("label", { for: which.id }, "Show"), which),
      el("button", { type: "button", class: "copy", click: copyTable }, "Copy table"),
      el(
        "button",
        {
          type: "button",
          class: "download",
          click: () => {
            download("ranking.csv", rankingCsv(data));
            said.say("ranking.csv is being saved");
          },
        },
        wholeRanking ? "Download ranking (CSV)" : `Download first ${count(data.ranking.length)} (CSV)`,
      ),
      said,
    ),
    summary,
    scroller(
      { class: "tall", tabindex: "0", role: "region", "aria-label": "Table of features" },
      el(
        "table",
        { class: "features" },
        el("caption", { class: "hidden" }, "Features; the headers are buttons that sort"),
        el("thead", {}, el("tr", {}, ...headers)),
        body,
      ),
    ),
    pager,
  );
  return {
    element,
    setK(to: number): void {
      k = to;
      show();
    },
  };
}
