import type { ComponentChildren } from "preact";
import { layout, mapInfo, model, projection } from "../app/state";
import { other } from "../compare/state";
import { count, short } from "../numbers";
import type { MapInfo } from "../source";
import { mostDrawn } from "./detail";

const titles = { pca: "PCA", umap: "UMAP" } as const;

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Which projection is shown and how far it can be trusted, or how far its computation is. */
export function MapStatus({ children }: { children?: ComponentChildren }) {
  const load = mapInfo.value;
  const shown = layout.value;
  if (load.state === "failed") {
    return (
      <div class="map-status failed" role="alert">
        {titles[projection.value]}: {load.error.message}
      </div>
    );
  }
  if (load.state === "ready" && load.value.state === "running") return <Progress info={load.value} title={`Computing ${titles[projection.value]}`} standIn={shown && shown.projection !== projection.value ? titles[shown.projection] : ""} />;
  if (!shown || load.state !== "ready") return model.value && <div class="map-status note">Loading the map…</div>;

  const { trustworthiness, explained, landmarks, trustworthiness_points: checked } = shown.info;
  const words = shown.points.length / 2;
  return (
    <div class="map-status">
      {other.value && <strong>{model.value?.name}</strong>}
      <strong>{titles[shown.projection]}</strong>
      {explained && <span title="The share of the variance that these two directions hold.">{percent(sum(explained.slice(0, 2)))} of variance</span>}
      {trustworthiness !== undefined && (
        <details>
          <summary>trustworthiness {trustworthiness.toFixed(2)}</summary>
          <p>1.00 means that words which are close on the map are close in the model, too. The map shows two of {model.value?.dim} dimensions.{checked !== undefined && ` The number is of ${count(checked)} of the ${count(words)} words, each among all of them.`}</p>
        </details>
      )}
      {landmarks !== undefined && <span class="note">{count(landmarks)} words laid out, the others beside them</span>}
      {words > mostDrawn && <span class="note">of a view, the {count(mostDrawn)} most frequent words are drawn</span>}
      {children}
    </div>
  );
}

/** How far the computation of a map is. standIn is what is shown meanwhile. */
export function Progress({ info, title, standIn }: { info: MapInfo; title: string; standIn?: string }) {
  return (
    <div class="map-status progress">
      <label>
        <strong>{title}</strong>
        <progress value={info.progress ?? 0} max={1} />
      </label>
      <span class="note">
        {progressText(info)}
        {standIn && `. ${standIn} is shown until then.`}
      </span>
    </div>
  );
}

/** The stage of a computation, how far it is, and how long it takes still. */
export function progressText({ stage, progress, eta_seconds: eta, memory }: MapInfo): string {
  const left = eta !== undefined && eta > 0 ? `, about ${eta < 90 ? `${Math.ceil(eta)} s` : `${Math.round(eta / 60)} min`} left` : "";
  const needs = (memory ?? 0) > 1e8 ? `, about ${short(memory)}B of memory` : "";
  return `${stage ?? "starting"}, ${percent(progress ?? 0)}${left}${needs}`;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
