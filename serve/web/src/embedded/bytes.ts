/** FormatError says which part of a page's data is damaged. */
export class FormatError extends Error {
  constructor(field: string, reason: string) {
    super(`The data of this page is damaged: ${field} ${reason}.`);
    this.name = "FormatError";
  }
}

/** Decodes standard base64 with padding. The length in bytes must be as expected. */
export function decodeBytes(text: unknown, expected: number, field: string): Uint8Array<ArrayBuffer> {
  if (typeof text !== "string") throw new FormatError(field, "is not text");
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new FormatError(field, "is not base64");
  }
  if (binary.length !== expected) {
    throw new FormatError(field, `has ${binary.length} bytes, and ${expected} are needed`);
  }
  const bytes = new Uint8Array(expected);
  for (let i = 0; i < expected; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Decodes numbers of 16 bits, little-endian on every machine. */
export function decodeUint16(text: unknown, expected: number, field: string): Uint16Array<ArrayBuffer> {
  const bytes = decodeBytes(text, 2 * expected, field);
  const view = new DataView(bytes.buffer);
  const out = new Uint16Array(expected);
  for (let i = 0; i < expected; i++) out[i] = view.getUint16(2 * i, true);
  return out;
}

/** Bounds are the smallest and the largest coordinates of a map: x, y, x, y. */
export type Bounds = [number, number, number, number];

/** Makes coordinates of points that were quantised to 16 bits within the bounds. */
export function dequantize(points: Uint16Array, bounds: Bounds): Float32Array<ArrayBuffer> {
  const [minX, minY, maxX, maxY] = bounds;
  const out = new Float32Array(points.length);
  for (let i = 0; i + 1 < points.length; i += 2) {
    out[i] = minX + ((points[i] ?? 0) / 65535) * (maxX - minX);
    out[i + 1] = minY + ((points[i + 1] ?? 0) / 65535) * (maxY - minY);
  }
  return out;
}
