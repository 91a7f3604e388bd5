// Numbers as people read them.

const whole = new Intl.NumberFormat("en");
const few = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** A whole number with separators, or a dash if there is none. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : whole.format(value);
}

const units: [number, string][] = [
  [1e12, " T"],
  [1e9, " G"],
  [1e6, " M"],
  [1e3, " k"],
];

/** A number to three digits, large ones with a unit: 3.26 M. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  for (const [size, unit] of units) {
    // 999,999 is 1 M, not 1,000 k.
    if (Math.abs(value) >= size * 0.9995) return few.format(value / size) + unit;
  }
  return few.format(value);
}

/** A score or loss to a number of digits after the point, with a real minus sign. */
export function fixed(value: number | null | undefined, digits = 3): string {
  return value === null || value === undefined ? "–" : value.toFixed(digits).replace("-", "−");
}

/** A share as a percentage. */
export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** A time in seconds, to two units: 1 h 5 min. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 10) return `${few.format(Math.max(0, Number(seconds.toFixed(1))))} s`;
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  const [days, hours, minutes] = [Math.floor(s / 86400), Math.floor((s % 86400) / 3600), Math.floor((s % 3600) / 60)];
  if (days > 0) return two(days, "d", hours, "h");
  if (hours > 0) return two(hours, "h", minutes, "min");
  return two(minutes, "min", s % 60, "s");
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small > 0 ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`;
}

/** Bytes to three digits. */
export function bytes(value: number): string {
  return `${short(value)}${value >= 999.5 ? "" : " "}B`;
}
