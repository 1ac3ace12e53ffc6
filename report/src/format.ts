// report/src/format.ts: numbers, times and names in words. Measured values have three digits at most; counts have all.
const few = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(2);
  return few.format(value);
}

/** With the same number of digits in every row of a table. */
export function even(value: number): string {
  const size = Math.abs(value);
  return size >= 1e-4 && size < 999.5 ? value.toPrecision(3) : number(value);
}

export const count = (value: number): string => whole.format(value);
/** In percent, without the sign: one digit behind the point, where there is room for three. */
export const hundredths = (share: number, digits = 1): string =>
  (100 * share).toFixed(Math.abs(share) < 0.9995 ? digits : 0);
export const percent = (share: number, digits = 1): string => `${hundredths(share, digits)}\u00a0%`;
export const plural = (n: number, one: string, many = one + "s"): string =>
  `${count(n)} ${n === 1 ? one : many}`;

export function duration(seconds: number): string {
  if (seconds < 0.9995) return `${few.format(seconds * 1000)} ms`;
  if (seconds < 100) return `${few.format(Math.round(seconds * 100) / 100)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function bytes(size: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; ++unit) size /= 1000;
  return `${few.format(size)} ${units[unit]}`;
}

/** For charts and sentences; tables show whole names. */
export function shortName(name: string, most = 32): string {
  const characters = Array.from(name.slice(0, 4 * most));
  const cut = characters.length > most || name.length > 4 * most;
  return cut ? characters.slice(0, most).join("") + "…" : name;
}
