// report/src/dom.ts: makes elements. All text becomes text nodes; nothing is ever parsed as HTML.
export type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | ((event: never) => void);

function fill<E extends Element>(element: E, attributes: Record<string, Value>, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as unknown as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** An HTML element; attributes that are functions listen to the event of their name. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

let ids = 0;
export const newId = (what: string): string => `${what}-${++ids}`;

/** A name from the data: isolated, so that right-to-left text does not turn its surroundings. */
export const nameElement = (name: string): HTMLElement => el("bdi", { class: "name" }, name);
