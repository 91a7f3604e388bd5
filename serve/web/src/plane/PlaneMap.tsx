import { useComputed } from "@preact/signals";
import { lookAt } from "../app/actions";
import { hovered, model, planeCamera, wholeMap } from "../app/state";
import { colorPoints } from "../map/colors";
import { MapCanvas } from "../map/MapCanvas";
import { noEmphasis, type Emphasis, type Spot } from "../map/overlay";
import type { WordMap } from "../map/word-map";
import { percent } from "../numbers";
import { dark } from "../theme";
import type { LocalAnalogy, LocalAxis } from "./question";
import { local, localShown } from "./state";

const nothing: never[] = [];

/** How many answers of an analogy are numbered. */
const numbered = 10;

/** The words of an analogy or an axis in their own plane. It is there also while the whole map is shown, to fade. */
export function PlaneMap({ map, onEscape }: { map: { current: WordMap | null }; onEscape: () => void }) {
  const plane = local.value;
  const painted = useComputed(() => colorPoints(local.value?.words.length ?? 0, { by: "none" }, dark.value).colors);
  const emphasis = useComputed(() => (local.value ? emphasisOf(local.value, hovered.value) : noEmphasis));
  // What the question is drawn with has a label of its own.
  const labels = useComputed(() => {
    const now = local.value;
    const drawn = now ? new Set(now.kind === "analogy" ? [0, 1, 2, ...now.answers.slice(0, numbered)] : [0, 1]) : null;
    return now?.words.map(({ word }, i) => (drawn?.has(i) ? "" : word)) ?? nothing;
  });
  if (!plane) return null;
  return (
    <MapCanvas
      label={`The plane of ${named(plane)}`}
      layout={plane.layout}
      words={labels.value}
      colors={painted.value}
      clusterColored={false}
      contours={false}
      dark={dark.value}
      camera={planeCamera.value}
      emphasis={emphasis.value}
      marked={nothing}
      lasso={false}
      plain
      away={localShown.value === null}
      onCamera={(to) => (planeCamera.value = to)}
      onHover={(i) => (hovered.value = plane.words[i]?.id ?? -1)}
      onPick={(i) => lookAt(plane.words[i]?.word ?? "")}
      onLasso={() => undefined}
      onEscape={onEscape}
      onReady={(ready) => (map.current = ready)}
    />
  );
}

function named(plane: LocalAnalogy | LocalAxis): string {
  const words = plane.words.map((w) => w.word);
  return plane.kind === "analogy" ? `${words.slice(0, 3).join(", ")} and ${words[3] ?? ""}` : `${words[0] ?? ""} → ${words[1] ?? ""}`;
}

/** What the plane is, and how much of the words it holds. */
export function PlaneStatus() {
  const plane = localShown.value;
  if (!plane) return null;
  return (
    <div class="map-status">
      <strong>The plane of {named(plane)}</strong>
      <span title={`The plane has two of ${model.value?.dim ?? 0} dimensions.`}>
        {percent(plane.share)} of {plane.kind === "analogy" ? "the variance of the four" : `the variance of ${plane.words.length} words`}
      </span>
      <WholeMapSwitch />
    </div>
  );
}

/** Chooses between the plane and the map of all words. */
export function WholeMapSwitch() {
  return (
    <button type="button" class="link" onClick={() => (wholeMap.value = !wholeMap.value)}>
      {wholeMap.value ? "in its own plane" : "on the whole map"}
    </button>
  );
}

function emphasisOf(plane: LocalAnalogy | LocalAxis, pointed: number): Emphasis {
  const spot = (i: number): Spot => ({ word: plane.words[i]?.word ?? "", x: plane.layout.points[2 * i] ?? 0, y: plane.layout.points[2 * i + 1] ?? 0 });
  const at = pointed < 0 ? -1 : plane.words.findIndex((w) => w.id === pointed);
  const shown = { ...noEmphasis, hovered: at < 0 ? null : spot(at) };
  if (plane.kind === "axis") return { ...shown, axis: { from: spot(0), to: spot(1) } };
  const [a, b, c] = [spot(0), spot(1), spot(2)];
  return { ...shown, analogy: { a, b, c, target: plane.target, answers: plane.answers.slice(0, numbered).map(spot), miss: `misses by ${percent(plane.missDrawn)}` } };
}
