// report/src/pictures.ts: features that form an image: their strength by epoch, class averages.
import { el, newId } from "./dom";
import { count, number, plural } from "./format";
import { card, numbersBehind } from "./page";
import { bytesOf, pixels } from "./pixels";

export interface ImageData {
  height: number;
  width: number;
  epochs: number[];
  frames: string; // base64: (epochs, pixels), each frame from 0 to its own most
}

export interface Classes {
  names: string[];
  all: number;
  counts: number[];
  rows: number;
  least: number;
  most: number;
  means: string; // base64: (classes, pixels), from least to most
}

export interface Picture {
  element: HTMLElement;
  setK(k: number): void;
}

export function strengthPicture(data: ImageData, ranking: number[], score: string): Picture {
  const frames = bytesOf(data.frames);
  const size = data.width * data.height;
  const last = data.epochs.length - 1;
  let frame = last;
  let chosen = new Set<number>();
  const strength = pixels(data.width, data.height, `The ${score} of every feature as an image`);
  const mask = pixels(data.width, data.height, "Where the chosen features are");
  const text = el("output", { class: "where" });
  const slider = el("input", {
    type: "range",
    class: "epoch",
    id: newId("epoch"),
    min: 0,
    max: last,
    value: last,
    input: () => {
      frame = Number(slider.value);
      show();
    },
  });
  const levels = (): Uint8Array => frames.subarray(frame * size, (frame + 1) * size);
  const numbers = numbersBehind(
    `The chosen features in the image`,
    ["row", "column", "feature", `${score}, % of the strongest`],
    () =>
      ranking
        .filter((feature) => chosen.has(feature))
        .map((f) => [
          String(Math.floor(f / data.width)),
          String(f % data.width),
          String(f),
          String(Math.round(levels()[f] / 2.55)),
        ]),
  );

  function show(): void {
    strength.set(levels());
    const epoch = data.epochs[frame];
    text.textContent = epoch > 0 ? `epoch ${count(epoch)}` : "";
    slider.setAttribute("aria-valuetext", text.textContent);
    numbers.dispatchEvent(new Event("refresh"));
  }
  show();

  return {
    element: card(
      `The ${score} as an image`,
      `${data.height} × ${data.width} features. Each epoch from 0 to its strongest feature.`,
      last > 0 &&
        el("div", { class: "controls" }, el("label", { for: slider.id }, "Epoch"), slider, text),
      el(
        "figure",
        {},
        el(
          "div",
          { class: "pictures large" },
          el("div", {}, strength.element, el("p", {}, score)),
          el("div", {}, mask.element, el("p", {}, "chosen")),
        ),
        numbers,
      ),
    ),
    setK(k: number): void {
      chosen = new Set(ranking.slice(0, k));
      mask.set(Array.from({ length: size }, (_, f) => (chosen.has(f) ? 255 : 0)));
      numbers.dispatchEvent(new Event("refresh"));
    },
  };
}

export function classPictures(data: Classes, image: ImageData, ranking: number[]): Picture {
  const means = bytesOf(data.means);
  const size = image.width * image.height;
  let chosen = ranking.slice(0, 0);
  const pictures = data.names.map((name) =>
    pixels(image.width, image.height, `Average of class ${name} on the chosen features`),
  );
  const everything = el("input", { type: "checkbox", id: newId("all"), change: () => show() });
  const value = (c: number, f: number): number =>
    data.least + ((data.most - data.least) * means[c * size + f]) / 255;
  const numbers = numbersBehind("Averages of the chosen features", ["row", "column", ...data.names], () =>
    chosen.map((f) => [String(Math.floor(f / image.width)), String(f % image.width), ...data.names.map((_, c) => number(value(c, f)))]),
  );

  function show(): void {
    const inside = new Set(chosen);
    pictures.forEach((picture, c) => {
      const levels = Array.from(means.subarray(c * size, (c + 1) * size));
      picture.set(levels.map((level, f) => (everything.checked || inside.has(f) ? level : null)));
    });
    numbers.dispatchEvent(new Event("refresh"));
  }

  const some = data.names.length < data.all ? ` The first ${data.names.length} of ${plural(data.all, "class", "classes")}.` : "";
  return {
    element: card(
      "Class averages on the chosen features",
      `Labels are shown here only; the selection never saw them. Averages of ${plural(data.rows, "row")}.${some}`,
      el("div", { class: "controls" }, everything, el("label", { for: everything.id }, "Show all features")),
      el(
        "figure",
        {},
        el(
          "div",
          { class: "pictures" },
          ...pictures.map((picture, c) =>
            el("div", {}, picture.element, el("p", {}, el("bdi", {}, data.names[c]), ` (${count(data.counts[c])})`)),
          ),
        ),
        numbers,
      ),
    ),
    setK(k: number): void {
      chosen = ranking.slice(0, k);
      show();
    },
  };
}
