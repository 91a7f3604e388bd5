// The data inside of an exported page, as `w2v export-explorer` writes it.

import type { Field, MapInfo, ModelInfo, ProjectionName } from "../source";
import { decodeBytes, decodeUint16, dequantize, FormatError, type Bounds } from "./bytes";

/** The JSON in the element `w2v-data`. */
export interface EmbeddedData {
  version: 1;
  model: ModelInfo;
  /** In the order of the vocabulary; as many as model.points. */
  words: string[];
  counts: number[] | null;
  fields: Record<string, Field>;
  maps: Record<string, EmbeddedMap>;
  vectors: EmbeddedVectors;
  /** RFC 3339. */
  created: string;
  generator: string;
}

export interface EmbeddedMap {
  info: MapInfo;
  /** Base64 of uint16, little-endian: x and y of each word, as shares of the bounds. */
  points: string;
  /** Base64 of uint16, little-endian; 65535 for none. */
  clusters: string;
  /** Base64 of uint8: how many of a word's ten nearest words are among the ten nearest on the map; 255 for none. */
  preserved: string;
}

export interface EmbeddedVectors {
  dim: number;
  /** Base64 of int8: the rows' directions in the first principal directions. */
  rows: string;
  /** The mean share of squared lengths that these directions keep. */
  kept: number;
  /** The share of the model's ten nearest neighbours that these vectors give, by a sample. */
  recall?: number;
}

/** A map with its numbers decoded. */
export interface DecodedMap {
  info: MapInfo;
  points: Float32Array<ArrayBuffer>;
  clusters: Uint16Array<ArrayBuffer>;
  preserved: Uint8Array<ArrayBuffer>;
}

/** A page's data, checked and decoded. */
export interface Decoded {
  model: ModelInfo;
  words: string[];
  counts: Float64Array<ArrayBuffer> | null;
  fields: Map<string, Field>;
  maps: Map<ProjectionName, DecodedMap>;
  rows: Int8Array<ArrayBuffer>;
  dim: number;
  kept: number;
  recall: number | null;
  created: string;
  generator: string;
}

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function object(value: unknown, field: string): Fields {
  if (!isObject(value)) throw new FormatError(field, "is not an object");
  return value;
}

function text(value: unknown, field: string): string {
  if (typeof value !== "string") throw new FormatError(field, "is not text");
  return value;
}

function number(value: unknown, field: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new FormatError(field, "is not a number");
  return value;
}

function list(value: unknown, length: number, field: string): unknown[] {
  if (!Array.isArray(value)) throw new FormatError(field, "is not a list");
  if (value.length !== length) throw new FormatError(field, `has ${value.length} entries, and ${length} are needed`);
  return value;
}

function boundsOf(info: Fields, field: string): Bounds {
  const bounds = list(info["bounds"], 4, field);
  return [number(bounds[0], field), number(bounds[1], field), number(bounds[2], field), number(bounds[3], field)];
}

function modelOf(value: unknown): ModelInfo {
  const model = object(value, "model");
  const points = number(model["points"], "model.points");
  if (!Number.isInteger(points) || points < 1) throw new FormatError("model.points", "is no number of words");
  text(model["name"], "model.name");
  if (!Array.isArray(model["fields"])) throw new FormatError("model.fields", "is not a list");
  if (!Array.isArray(model["projections"])) throw new FormatError("model.projections", "is not a list");
  return { training: {}, ...model } as unknown as ModelInfo;
}

function fieldOf(value: unknown, points: number, name: string): Field {
  const field = object(value, name);
  const values = list(field["values"], points, `${name}.values`);
  if (field["kind"] === "number") {
    return { kind: "number", values: values.map((v) => (v === null ? null : number(v, `${name}.values`))) };
  }
  if (field["kind"] !== "category" || !Array.isArray(field["categories"])) {
    throw new FormatError(name, "is of no known kind");
  }
  const categories = field["categories"].map((c) => text(c, `${name}.categories`));
  return { kind: "category", categories, values: values.map((v) => number(v, `${name}.values`)) };
}

function mapOf(value: unknown, points: number, name: string): DecodedMap {
  const map = object(value, name);
  const info = object(map["info"], `${name}.info`);
  const bounds = boundsOf(info, `${name}.info.bounds`);
  return {
    info: { ...(info as unknown as MapInfo), state: "ready" },
    points: dequantize(decodeUint16(map["points"], 2 * points, `${name}.points`), bounds),
    clusters: decodeUint16(map["clusters"], points, `${name}.clusters`),
    preserved: decodeBytes(map["preserved"], points, `${name}.preserved`),
  };
}

/** Reads the text of a page's data. It throws a FormatError if a part is damaged or missing. */
export function decodeEmbedded(json: string): Decoded {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    throw new FormatError("the whole", "is not JSON");
  }
  if (data === null) throw new FormatError("the whole", "is empty; w2v export-explorer makes pages with data");
  const page = object(data, "the whole");
  if (page["version"] !== 1) throw new FormatError("version", "is not 1");
  const model = modelOf(page["model"]);
  const points = model.points;

  const maps = new Map<ProjectionName, DecodedMap>();
  for (const [name, value] of Object.entries(object(page["maps"], "maps"))) {
    if (name !== "pca" && name !== "umap") throw new FormatError("maps", "has an unknown projection");
    maps.set(name, mapOf(value, points, `maps.${name}`));
  }
  if (maps.size === 0) throw new FormatError("maps", "has no map");

  const fields = new Map<string, Field>();
  for (const [name, value] of Object.entries(object(page["fields"], "fields"))) {
    fields.set(name, fieldOf(value, points, `fields.${name}`));
  }

  const vectors = object(page["vectors"], "vectors");
  const dim = number(vectors["dim"], "vectors.dim");
  if (!Number.isInteger(dim) || dim < 1) throw new FormatError("vectors.dim", "is no number of dimensions");
  const rows = decodeBytes(vectors["rows"], points * dim, "vectors.rows");
  return {
    model: { ...model, projections: [...maps.keys()] },
    words: list(page["words"], points, "words").map((word) => text(word, "words")),
    counts:
      page["counts"] === null
        ? null
        : Float64Array.from(list(page["counts"], points, "counts"), (count) => number(count, "counts")),
    fields,
    maps,
    rows: new Int8Array(rows.buffer),
    dim,
    kept: number(vectors["kept"], "vectors.kept"),
    recall: vectors["recall"] === undefined ? null : number(vectors["recall"], "vectors.recall"),
    created: text(page["created"], "created"),
    generator: text(page["generator"], "generator"),
  };
}
