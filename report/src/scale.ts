// report/src/scale.ts: from numbers to places on a chart and back: scales, ticks, outlines.

type Range = [number, number];

export interface Scale {
  (value: number): number;
  domain: Range;
  invert(place: number): number;
  /** About `count` round numbers within the domain. */
  ticks(count: number): number[];
}

/** Least and most; NaN when there are none. */
export function extent(values: number[]): Range {
  return [
    values.reduce((a, b) => Math.min(a, b), values[0] ?? NaN),
    values.reduce((a, b) => Math.max(a, b), values[0] ?? NaN),
  ];
}

/** Of sorted values. */
export function nearest(values: number[], to: number): number {
  const above = values.findIndex((value) => value >= to);
  if (above < 0) return values.length - 1;
  return above > 0 && to - values[above - 1] < values[above] - to ? above - 1 : above;
}

/** From whole numbers to multiples of 1, 2 or 5 times a power of ten, and back; without the rounding of 3 * 0.1. */
function steps([least, most]: Range, count: number): { at: (i: number) => number; of: (value: number) => number } {
  const step = (most - least) / count;
  const power = Math.floor(Math.log10(step));
  const rest = step / 10 ** power;
  const factor = rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.sqrt(2) ? 2 : 1;
  if (power < 0) {
    const inverse = 10 ** -power / factor;
    return { at: (i) => i / inverse, of: (value) => value * inverse };
  }
  const size = 10 ** power * factor;
  return { at: (i) => i * size, of: (value) => value / size };
}

function linearTicks(domain: Range, count: number): number[] {
  const { at, of } = steps(domain, count);
  const found: number[] = [];
  for (let i = Math.round(of(domain[0])) - 1; at(i) <= domain[1]; ++i) if (at(i) >= domain[0]) found.push(at(i));
  return found;
}

/** The domain, widened to where about `count` ticks would end. */
export function nice(domain: Range, count: number): Range {
  let [least, most] = domain;
  for (let again = 0, before = NaN; again < 10; ++again) {
    const { at, of } = steps([least, most], count);
    if (at(1) === before) break;
    before = at(1);
    [least, most] = [at(Math.floor(of(least))), at(Math.ceil(of(most)))];
  }
  return [least, most];
}

export function linear(domain: Range, range: Range): Scale {
  const slope = (range[1] - range[0]) / (domain[1] - domain[0]);
  return Object.assign((value: number) => range[0] + (value - domain[0]) * slope, {
    domain,
    invert: (place: number) => domain[0] + (place - range[0]) / slope,
    ticks: (count: number) => linearTicks(domain, count),
  });
}

/** For a domain above 0. */
export function logarithmic(domain: Range, range: Range): Scale {
  const powers: Range = [Math.log10(domain[0]), Math.log10(domain[1])];
  const inner = linear(powers, range);
  return Object.assign((value: number) => inner(Math.log10(value)), {
    domain,
    invert: (place: number) => 10 ** inner.invert(place),
    ticks(count: number): number[] {
      if (powers[1] - powers[0] >= count) return linearTicks(powers, count).map((power) => 10 ** power);
      const found: number[] = [];
      for (let power = Math.floor(powers[0]); power <= powers[1]; ++power)
        for (let digit = 1; digit < 10; ++digit) found.push(power < 0 ? digit / 10 ** -power : digit * 10 ** power);
      const within = found.filter((value) => value >= domain[0] && value <= domain[1]);
      return within.length * 2 < count ? linearTicks(domain, count) : within;
    },
  });
}

const place = ([x, y]: Range): string => `${Math.round(x * 1000) / 1000},${Math.round(y * 1000) / 1000}`;

/** The path through some points. */
export const line = (points: Range[]): string =>
  points.length === 0 ? "" : `M${points.map(place).join("L")}${points.length === 1 ? "Z" : ""}`;

/** The path around what lies between two lines. */
export const between = (upper: Range[], lower: Range[]): string =>
  upper.length === 0 ? "" : `${line([...upper, ...lower.reverse()])}Z`;
