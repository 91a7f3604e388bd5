import { EventParser, type ServerEvent } from "./events";
import {
  SourceError,
  type Among,
  type Analogy,
  type Axis,
  type Comparison,
  type EvaluationFile,
  type Field,
  type MapInfo,
  type ModelInfo,
  type Neighbors,
  type Place,
  type ProjectionName,
  type Query,
  type Run,
  type RunRecord,
  type SelectionFacts,
  type SelectionMap,
  type Source,
  type Stream,
} from "./source";
import { token, tokenWanted } from "./token";

interface ErrorBody {
  error?: { message?: string; code?: string; suggestions?: string[] };
}

const enc = encodeURIComponent;

/** The parameter of a map that begins at the places of another model's. */
function alike(like: string): string {
  return like && `?like=${enc(like)}`;
}

/** How long a stream that broke waits before it is asked for again, in milliseconds. */
const reconnectAfter = 2000;

/** Asks a running `w2v serve`. */
export class ServerSource implements Source {
  readonly can = { compare: true, evaluations: true, runs: true, again: ["pca", "umap"] as const };

  constructor(private readonly base = "") {}

  lessons(model: string): string {
    return `lessons/?model=${encodeURIComponent(model)}`;
  }

  private async get(path: string, signal?: AbortSignal, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
    if (token.value) headers["Authorization"] = `Bearer ${token.value}`;
    let response: Response;
    try {
      response = await fetch(this.base + path, { headers, ...(signal ? { signal } : {}), ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }) });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new SourceError("The server does not answer. It is asked again every few seconds.", 0, "unreachable");
    }
    if (response.status === 401) tokenWanted.value = true;
    if (!response.ok) throw await refusal(response);
    return response;
  }

  private async json<T>(path: string, signal?: AbortSignal): Promise<T> {
    return (await (await this.get(path, signal)).json()) as T;
  }

  private async bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    return (await this.get(path, signal)).arrayBuffer();
  }

  models(signal?: AbortSignal) {
    return this.json<ModelInfo[]>("/explorer/models", signal);
  }

  words(model: string, signal?: AbortSignal) {
    return this.json<string[]>(`/explorer/${enc(model)}/words`, signal);
  }

  async counts(model: string, signal?: AbortSignal) {
    try {
      return new Float64Array(await this.bytes(`/explorer/${enc(model)}/counts`, signal));
    } catch (error) {
      if (error instanceof SourceError && error.status === 404) return null;
      throw error;
    }
  }

  field(model: string, name: string, signal?: AbortSignal) {
    return this.json<Field>(`/explorer/${enc(model)}/fields/${enc(name)}`, signal);
  }

  map(model: string, projection: ProjectionName, signal?: AbortSignal, like = "") {
    return this.json<MapInfo>(`/explorer/${enc(model)}/maps/${projection}${alike(like)}`, signal);
  }

  mapProgress(model: string, projection: ProjectionName, report: (info: MapInfo) => void, like = ""): Stream {
    let done = false;
    return this.stream(`/explorer/${enc(model)}/maps/${projection}/progress${alike(like)}`, {
      event: ({ event, data }) => {
        if (event !== "progress") return;
        const info = JSON.parse(data) as MapInfo;
        done = info.state !== "running";
        report(info);
      },
      // The stream of a finished job ends; that of a running one may break.
      again: () => !done,
      failed: (error) => report({ state: "failed", error: error.message }),
    });
  }

  async points(model: string, projection: ProjectionName, signal?: AbortSignal, like = "") {
    return new Float32Array(await this.bytes(`/explorer/${enc(model)}/maps/${projection}/points${alike(like)}`, signal));
  }

  async clusters(model: string, projection: ProjectionName, signal?: AbortSignal, like = "") {
    return new Uint16Array(await this.bytes(`/explorer/${enc(model)}/maps/${projection}/clusters${alike(like)}`, signal));
  }

  async preserved(model: string, projection: ProjectionName, signal?: AbortSignal, like = "") {
    const response = await this.get(`/explorer/${enc(model)}/maps/${projection}/preserved${alike(like)}`, signal);
    return response.status === 202 ? ((await response.json()) as MapInfo) : new Uint8Array(await response.arrayBuffer());
  }

  place(model: string, projection: ProjectionName, query: Query, signal?: AbortSignal, like = "") {
    const asked = `${query.expression ? "expr" : "word"}=${enc(query.text)}`;
    return this.json<Place>(`/explorer/${enc(model)}/place?map=${projection}&${asked}${like && `&like=${enc(like)}`}`, signal);
  }

  async vectors(model: string, words: string[], signal?: AbortSignal) {
    const asked = words.map((word) => `&word=${enc(word)}`).join("");
    const { data } = await this.json<{ data: { vector: number[] | null }[] }>(`/v1/vectors?model=${enc(model)}${asked}`, signal);
    return data.map(({ vector }) => Float32Array.from(vector ?? []));
  }

  /** Asks for a list of one word: then one without a vector is an answer, and not an error in the log of the browser. */
  async neighbors(model: string, query: Query, k: number, among: Among, signal?: AbortSignal) {
    if (among.clusters.length > 0) {
      // Clusters belong to the map, of which the other routes know nothing.
      const asked = `${query.expression ? "expr" : "word"}=${enc(query.text)}`;
      const near = await this.json<Omit<Neighbors, "model" | "query" | "terms"> & { terms?: { word: string }[] }>(`/explorer/${enc(model)}/place?${asked}&k=${k}${restricted(among)}`, signal);
      return { ...near, model, query: query.text, terms: near.terms?.map((term) => term.word) ?? [] };
    }
    const response = await this.get("/v1/neighbors", signal, { model, [query.expression ? "expressions" : "words"]: [query.text], k, ...(among.first > 0 ? { restrict: among.first } : {}), ...(among.where.length > 0 ? { where: among.where } : {}) });
    const { results } = (await response.json()) as { results: (Omit<Neighbors, "model"> & ErrorBody)[] };
    const [found] = results;
    if (!found || found.error) throw new SourceError(found?.error?.message ?? "The server gave no answer.", 404, found?.error?.code ?? "", found?.error?.suggestions ?? []);
    return { ...found, model };
  }

  analogy(model: string, projection: ProjectionName, a: string, b: string, c: string, k: number, among: Among, signal?: AbortSignal) {
    return this.json<Analogy>(`/explorer/${enc(model)}/analogy?a=${enc(a)}&b=${enc(b)}&c=${enc(c)}&map=${projection}&k=${k}${restricted(among)}`, signal);
  }

  axis(model: string, from: string, to: string, k: number, among: Among, signal?: AbortSignal) {
    return this.json<Axis>(`/explorer/${enc(model)}/axis?from=${enc(from)}&to=${enc(to)}&k=${k}${restricted(among)}`, signal);
  }

  async axisValues(model: string, from: string, to: string, signal?: AbortSignal) {
    return new Float32Array(await this.bytes(`/explorer/${enc(model)}/axis/values?from=${enc(from)}&to=${enc(to)}`, signal));
  }

  async selected(model: string, ids: readonly number[], first: number, signal?: AbortSignal) {
    return (await (await this.get(`/explorer/${enc(model)}/selection`, signal, { ids, first })).json()) as SelectionFacts;
  }

  async project(model: string, by: ProjectionName, ids: readonly number[], signal?: AbortSignal): Promise<SelectionMap> {
    const response = await this.get(`/explorer/${enc(model)}/selection`, signal, { ids, map: by });
    const { points, ...facts } = (await response.json()) as Omit<SelectionMap, "points"> & { points: number[] };
    return { ...facts, points: Float32Array.from(points) };
  }

  compare(oldModel: string, newModel: string, k: number, signal?: AbortSignal) {
    return this.json<Comparison>(`/explorer/compare?old=${enc(oldModel)}&new=${enc(newModel)}&k=${k}`, signal);
  }

  async cosinesWith(model: string, query: Query, signal?: AbortSignal) {
    return new Float32Array(await this.bytes(`/explorer/${enc(model)}/cosines?${query.expression ? "expr" : "word"}=${enc(query.text)}`, signal));
  }

  async cosines(oldModel: string, newModel: string, signal?: AbortSignal) {
    const response = await this.get(`/explorer/compare/cosines?old=${enc(oldModel)}&new=${enc(newModel)}`, signal);
    return response.status === 202 ? null : new Float32Array(await response.arrayBuffer());
  }

  evaluations(signal?: AbortSignal) {
    return this.json<EvaluationFile[]>("/explorer/evaluations", signal);
  }

  runs(signal?: AbortSignal) {
    return this.json<Run[]>("/explorer/runs", signal);
  }

  run(name: string, listener: { record: (record: RunRecord) => void; restarted: () => void; end: (error?: SourceError) => void }): Stream {
    let seen = 0;
    let ended = false;
    return this.stream(`/explorer/runs/${enc(name)}`, {
      event: ({ event, data }) => {
        if (event === "record") {
          seen++;
          listener.record(JSON.parse(data) as RunRecord);
        } else if (event === "restart") {
          seen = 0;
          listener.restarted();
        } else if (event === "end") {
          ended = true;
          listener.end();
        }
      },
      // A new connection begins with the first line again.
      again: () => {
        if (ended) return false;
        if (seen > 0) listener.restarted();
        seen = 0;
        return true;
      },
      failed: (error) => listener.end(error),
    });
  }

  /** Reads a stream of events until it is closed, connecting again when it breaks. */
  private stream(path: string, on: { event: (event: ServerEvent) => void; again: () => boolean; failed: (error: SourceError) => void }): Stream {
    const control = new AbortController();
    const read = async () => {
      const response = await this.get(path, control.signal);
      if (!response.body) return;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const parser = new EventParser();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        for (const event of parser.push(value)) on.event(event);
      }
    };
    const follow = async () => {
      while (!control.signal.aborted) {
        try {
          await read();
        } catch (error) {
          if (control.signal.aborted) return;
          if (error instanceof SourceError && error.status >= 400) {
            on.failed(error);
            return;
          }
        }
        if (control.signal.aborted || !on.again()) return;
        await new Promise((resolve) => setTimeout(resolve, reconnectAfter));
      }
    };
    void follow();
    return { close: () => control.abort() };
  }
}

function restricted({ first, where, clusters }: Among): string {
  return [first > 0 ? `&restrict=${first}` : "", ...where.map((condition) => `&where=${enc(condition)}`), ...clusters.map((id) => `&cluster=${id}`)].join("");
}

async function refusal(response: Response): Promise<SourceError> {
  let body: ErrorBody = {};
  try {
    body = (await response.json()) as ErrorBody;
  } catch {
    // A proxy between may answer with something that is not JSON: the status says enough.
  }
  const message = body.error?.message ?? `The server answered ${response.status} ${response.statusText}`;
  return new SourceError(message, response.status, body.error?.code ?? "", body.error?.suggestions ?? []);
}
