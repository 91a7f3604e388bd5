import type { MapInfo, ModelInfo, ProjectionName, Source, Stream } from "../source";
import { makeLayout } from "./layout";
import { loading, valueOf, type Layout, type Load } from "./state";

interface Listener {
  info: (info: Load<MapInfo>) => void;
  layout: (layout: Layout) => void;
}

/** How long to wait before asking again for what a map lacks, in milliseconds. */
const firstWait = 2000;
const longestWait = 20_000;

/** Above how many words UMAP takes minutes. The server lays out so many, and places the others beside them. */
const fewWords = 200_000;

function lacks(info: MapInfo): boolean {
  return info.trustworthiness === undefined || !info.clusters?.length;
}

/** Loads a projection of a model, and waits for it while the server computes it. The returned function ends it. One that is
 * like another model begins at the places of that model's map. */
export function followLayout(
  source: Source,
  model: ModelInfo,
  projection: ProjectionName,
  on: Listener,
  like = "",
): () => void {
  const control = new AbortController();
  const { signal } = control;
  let stream: Stream | null = null;
  const fail = (error: unknown) => {
    if (!signal.aborted) on.info({ state: "failed", error: error instanceof Error ? error : new Error(String(error)) });
  };
  const show = async () => {
    const [info, points, clusters] = await Promise.all([
      source.map(model.name, projection, signal, like),
      source.points(model.name, projection, signal, like),
      source.clusters(model.name, projection, signal, like),
    ]);
    if (signal.aborted) return;
    on.info({ state: "ready", value: info });
    const layout = makeLayout(model.name, projection, info, points, clusters);
    on.layout(layout);
    complete(layout).catch(fail);
  };
  // A map may be shown before its trustworthiness and its clusters are known.
  const complete = async (layout: Layout) => {
    for (let wait = firstWait; lacks(layout.info); wait = Math.min(longestWait, 1.5 * wait)) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (signal.aborted) return;
      const info = await source.map(model.name, projection, signal, like);
      if (signal.aborted || info.state !== "ready") return;
      if (info.trustworthiness === layout.info.trustworthiness && info.clusters?.length === layout.info.clusters?.length) continue;
      const clusters = await source.clusters(model.name, projection, signal, like);
      if (signal.aborted) return;
      layout = { ...layout, info, clusters };
      on.info({ state: "ready", value: info });
      on.layout(layout);
    }
  };
  const load = async () => {
    const info = await source.map(model.name, projection, signal, like);
    if (signal.aborted) return;
    if (info.state === "failed") throw new Error(info.error ?? "The projection failed.");
    if (info.state === "ready") return show();
    on.info({ state: "ready", value: info });
    stream = source.mapProgress(model.name, projection, (report) => {
      if (signal.aborted) return;
      if (report.state === "ready") show().catch(fail);
      else if (report.state === "failed") fail(new Error(report.error ?? "The projection failed."));
      else on.info({ state: "ready", value: report });
    }, like);
  };
  on.info(loading);
  load().catch(fail);
  return () => {
    control.abort();
    stream?.close();
  };
}

/** Does the same. Where UMAP takes minutes, PCA stands in for it, which takes seconds, if there is nothing else to show. */
export function followWithStandIn(source: Source, model: ModelInfo, projection: ProjectionName, empty: () => boolean, on: Listener): () => void {
  let endStandIn: (() => void) | null = null;
  const standsIn = projection === "umap" && model.points > fewWords && model.projections.includes("pca");
  const end = followLayout(source, model, projection, {
    info: (info) => {
      on.info(info);
      if (standsIn && valueOf(info)?.state === "running" && !endStandIn && empty()) endStandIn = followLayout(source, model, "pca", { info: () => {}, layout: on.layout });
    },
    layout: (made) => {
      endStandIn?.();
      on.layout(made);
    },
  });
  return () => {
    endStandIn?.();
    end();
  };
}
