// report/src/choose.ts: a list to choose from, with its name.
import { el, newId } from "./dom";

export interface Choice {
  element: HTMLElement;
  value(): number; // which entry
}

export function choice(name: string, entries: string[], changed: () => void, start = 0): Choice {
  const select = el(
    "select",
    { id: newId("choice"), change: changed },
    ...entries.map((text, i) => el("option", { value: i, selected: i === start }, text)),
  );
  return {
    element: el("span", { class: "pair" }, el("label", { for: select.id }, name), select),
    value: () => Number(select.value),
  };
}
