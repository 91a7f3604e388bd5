import type { EmbeddedData } from "../src/embedded/format";

/** Base64 of numbers of 16 bits, little-endian. */
export function base64(numbers: number[]): string {
  return btoa(numbers.map((n) => String.fromCharCode(n & 255, n >> 8)).join(""));
}

/** Words that a model from somewhere could hold. */
export const hostileWords = ["<img src=x onerror=alert(1)>", "__proto__", "\u202eמלך\u2066\ud83d\udc51", "x".repeat(16384)];

/** A model of four directions, as a page holds it. */
export function pageData(): EmbeddedData {
  return {
    version: 1,
    model: {
      name: "compass",
      format: "w2v",
      words: 5,
      dim: 2,
      points: 4,
      subwords: false,
      counts: true,
      training: {},
      fields: [],
      projections: ["pca"],
    },
    words: ["north", "east", "northeast", "south"],
    counts: [40, 30, 20, 10],
    fields: {},
    maps: {
      pca: {
        info: { state: "ready", bounds: [0, -1, 1, 1], clusters: [] },
        points: base64([0, 65535, 65535, 32768, 65535, 65535, 0, 0]),
        clusters: base64([0, 1, 65535, 0]),
        preserved: btoa(String.fromCharCode(3, 2, 1, 255)),
      },
    },
    vectors: { dim: 2, rows: btoa(String.fromCharCode(0, 127, 127, 0, 127, 127, 0, 129)), kept: 1, recall: 0.9 },
    created: "2026-11-23T12:00:00Z",
    generator: "w2v test",
  };
}

export function pageText(): string {
  return JSON.stringify(pageData());
}
