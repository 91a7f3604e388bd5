// Colours that people with the usual kinds of colour blindness can tell apart: Paul Tol's qualitative
// schemes, viridis for amounts, and blue to orange for axes.

export type Rgb = readonly [number, number, number];

function rgb(hex: string): Rgb {
  const n = Number.parseInt(hex, 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

const categoriesLight = ["4477aa", "cc6677", "117733", "aa7a00", "332288", "44aa99", "882255", "999933", "aa4499", "8a5a2b"].map(rgb);
const categoriesDark = ["77aadd", "ee8866", "44bb99", "eedd88", "ffaabb", "99ddff", "bbcc33", "cc99ff", "d9a066", "8fd175"].map(rgb);

// More clusters than that are not told apart. The first ones are like those above.
const shadesLight = "4477aa cc6677 117733 aa7a00 332288 44aa99 882255 be6df2 204b43 46b427 aa32a4 5978fd c92516 3244c5 896559 f9601f 3ca2e0 67310d 584e87 b186bb".split(" ").map(rgb);
const shadesDark = "77aadd ee8866 44bb99 eedd88 ffaabb 99ddff bbcc33 cc99ff e652a3 979828 a76ef8 45eca4 af8686 b9bb96 54c138 2896f5 f44f5d f2d3ee cef034 b576c3".split(" ").map(rgb);

const viridis = ["440154", "482878", "3e4a89", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"].map(rgb);

const axisLight = ["1f5fb4", "6f9fd8", "c3c7cd", "e39a5a", "b04a00"].map(rgb);
const axisDark = ["5aa2ff", "3f6fae", "4a5058", "b3703a", "ff9c4a"].map(rgb);

export function categories(dark: boolean): readonly Rgb[] {
  return dark ? categoriesDark : categoriesLight;
}

/** Colours of clusters. */
export function shades(dark: boolean): readonly Rgb[] {
  return dark ? shadesDark : shadesLight;
}

/** The colour of what has no value. */
export function missing(dark: boolean): Rgb {
  return dark ? [84, 92, 104] : [176, 183, 194];
}

/** The colour of points that are all alike. */
export function plain(dark: boolean): Rgb {
  return dark ? [122, 166, 240] : [52, 96, 190];
}

/** The colour of an amount from 0 to 1. The most is what stands out from the ground. */
export function amount(value: number, dark: boolean): Rgb {
  // The end of the scheme that is like the ground is left out.
  return along(viridis, dark ? 0.18 + 0.82 * value : 0.92 * (1 - value));
}

/** The colour of a place on an axis, from -1 to 1. */
export function diverging(value: number, dark: boolean): Rgb {
  return along(dark ? axisDark : axisLight, (value + 1) / 2);
}

/** The ratio of the luminances of two colours, from 1 to 21, as WCAG 2 defines it. */
export function contrast(a: Rgb, b: Rgb): number {
  const luminance = (color: Rgb) => {
    const [r = 0, g = 0, blue = 0] = color.map((value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** A colour for text on a ground: the same one, as much darker or lighter as it must be to be read. */
export function readable(color: Rgb, ground: Rgb): Rgb {
  const end = contrast([0, 0, 0], ground) > contrast([255, 255, 255], ground) ? 0 : 255;
  for (let share = 0; share < 1; share += 0.05) {
    const mix = (j: 0 | 1 | 2) => Math.round(color[j] + (end - color[j]) * share);
    const mixed: Rgb = [mix(0), mix(1), mix(2)];
    if (contrast(mixed, ground) >= 4.5) return mixed;
  }
  return [end, end, end];
}

function along(stops: readonly Rgb[], at: number): Rgb {
  const place = Math.min(1, Math.max(0, at)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  const [a, b] = [stops[i], stops[i + 1]];
  if (!a || !b) return [0, 0, 0];
  const mix = (j: 0 | 1 | 2) => Math.round(a[j] + (b[j] - a[j]) * (place - i));
  return [mix(0), mix(1), mix(2)];
}

export function css([r, g, b]: Rgb, alpha = 1): string {
  return alpha === 1 ? `rgb(${r} ${g} ${b})` : `rgb(${r} ${g} ${b} / ${alpha})`;
}
