import type { MapInfo, ModelInfo, ProjectionName, Source, Stream } from "../source";
import { makeLayout } from "./layout";
import { loading, type Layout, type Load } from "./state";

/** Loads a projection of a model, and waits for it while the server computes it. The returned function ends it. */
export function followLayout(
  source: Source,
  model: ModelInfo,
  projection: ProjectionName,
  on: { info: (info: Load<MapInfo>) => void; layout: (layout: Layout) => void },
): () => void {
  const control = new AbortController();
  const { signal } = control;
  let stream: Stream | null = null;
  const fail = (error: unknown) => {
    if (!signal.aborted) on.info({ state: "failed", error: error instanceof Error ? error : new Error(String(error)) });
  };
  const show = async () => {
    const [info, points, clusters] = await Promise.all([
      source.map(model.name, projection, signal),
      source.points(model.name, projection, signal),
      source.clusters(model.name, projection, signal),
    ]);
    if (signal.aborted) return;
    on.info({ state: "ready", value: info });
    on.layout(makeLayout(model.name, projection, info, points, clusters));
  };
  const load = async () => {
    const info = await source.map(model.name, projection, signal);
    if (signal.aborted) return;
    if (info.state === "failed") throw new Error(info.error ?? "The projection failed.");
    if (info.state === "ready") return show();
    on.info({ state: "ready", value: info });
    stream = source.mapProgress(model.name, projection, (report) => {
      if (signal.aborted) return;
      if (report.state === "ready") show().catch(fail);
      else if (report.state === "failed") fail(new Error(report.error ?? "The projection failed."));
      else on.info({ state: "ready", value: report });
    });
  };
  on.info(loading);
  load().catch(fail);
  return () => {
    control.abort();
    stream?.close();
  };
}
