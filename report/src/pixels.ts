// report/src/pixels.ts: numbers as coloured cells: pictures of features, maps of correlations.
import { el } from "./dom";

type Colour = [number, number, number];

const dark = matchMedia("(prefers-color-scheme: dark)");
let printing = false;
const painters = new Set<() => void>();
const repaint = (): void => painters.forEach((paint) => paint());
dark.addEventListener("change", repaint);
addEventListener("beforeprint", () => ((printing = true), repaint()));
addEventListener("afterprint", () => ((printing = false), repaint()));

const parse = (hex: string): Colour => hex.match(/\w\w/g)!.map((part) => parseInt(part, 16)) as Colour;
/** 256 colours through three, the second one at `middle`. */
function ramp(middle: number, colours: string[]): Colour[] {
  const [first, second, third] = colours.map(parse);
  return Array.from({ length: 256 }, (_, i) => {
    const [from, to, share] = i < middle ? [first, second, i / middle] : [second, third, (i - middle) / (255 - middle)];
    return from.map((part, c) => Math.round(part + (to[c] - part) * share)) as Colour;
  });
}
// Few is the colour of the paper; much stands out from it.
const RAMPS = {
  sequential: {
    light: ramp(90, ["#f3f6fa", "#5aa0d6", "#08305e"]),
    dark: ramp(110, ["#1d232b", "#2f7fc0", "#e3f1ff"]),
  },
  diverging: {
    light: ramp(128, ["#0b5fa5", "#f6f6f6", "#b5330f"]),
    dark: ramp(128, ["#5eb0f5", "#22272e", "#ff8d63"]),
  },
};
const HIDDEN = { light: [226, 229, 233] as Colour, dark: [46, 52, 60] as Colour };

export interface Pixels {
  element: HTMLCanvasElement;
  /** Levels 0 to 255, row by row; null is not shown. The size may change. */
  set(levels: ArrayLike<number | null>, width?: number, height?: number): void;
}

export function pixels(
  width: number,
  height: number,
  label: string,
  colours: keyof typeof RAMPS = "sequential",
): Pixels {
  const element = el("canvas", { class: "pixels", width, height, role: "img", "aria-label": label });
  const context = element.getContext("2d")!;
  let shown: ArrayLike<number | null> = [];
  const paint = (): void => {
    const mode = dark.matches && !printing ? "dark" : "light";
    const image = context.createImageData(element.width, element.height);
    for (let i = 0; i < shown.length; ++i) {
      const level = shown[i];
      const [r, g, b] = level === null ? HIDDEN[mode] : RAMPS[colours][mode][level];
      image.data.set([r, g, b, 255], 4 * i);
    }
    context.putImageData(image, 0, 0);
  };
  painters.add(paint);
  return {
    element,
    set(levels, newWidth = width, newHeight = height): void {
      shown = levels;
      element.width = newWidth;
      element.height = newHeight;
      element.style.aspectRatio = `${newWidth} / ${newHeight}`;
      paint();
    },
  };
}

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}
