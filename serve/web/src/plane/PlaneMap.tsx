import { useComputed } from "@preact/signals";
import { lookAt, select } from "../app/actions";
import { again, hovered, lassoActive, model, planeCamera, selected, wholeMap } from "../app/state";
import { colorPoints } from "../map/colors";
import { MapCanvas } from "../map/MapCanvas";
import { noEmphasis, type Emphasis, type Spot } from "../map/overlay";
import type { WordMap } from "../map/word-map";
import { count, percent } from "../numbers";
import { dark } from "../theme";
import { painted } from "../map/painting";
import type { LocalSelection } from "../selections/state";
import type { LocalAnalogy, LocalAxis } from "./question";
import { local, localShown } from "./state";

type Plane = LocalAnalogy | LocalAxis | LocalSelection;

const nothing: never[] = [];

/** How many answers of an analogy are numbered. */
const numbered = 10;

/** The words of an analogy or an axis in their own plane. It is there also while the whole map is shown, to fade. */
export function PlaneMap({ map, onEscape }: { map: { current: WordMap | null }; onEscape: () => void }) {
  const plane = local.value;
  const colors = useComputed(() => colorsOf(local.value));
  const emphasis = useComputed(() => (local.value ? emphasisOf(local.value, hovered.value) : noEmphasis));
  // What the question is drawn with has a label of its own.
  const labels = useComputed(() => {
    const now = local.value;
    const drawn = now && now.kind !== "selection" ? new Set(now.kind === "analogy" ? [0, 1, 2, ...now.answers.slice(0, numbered)] : [0, 1]) : null;
    return now?.words.map(({ word }, i) => (drawn?.has(i) ? "" : word)) ?? nothing;
  });
  if (!plane) return null;
  return (
    <MapCanvas
      key={plane.kind === "selection" ? "many" : "few"}
      label={`The plane of ${named(plane)}`}
      layout={plane.layout}
      words={labels.value}
      colors={colors.value}
      clusterColored={false}
      contours={false}
      dark={dark.value}
      camera={planeCamera.value}
      emphasis={emphasis.value}
      marked={nothing}
      lasso={plane.kind === "selection" && lassoActive.value}
      plain={plane.kind !== "selection"}
      away={localShown.value === null}
      onCamera={(to) => (planeCamera.value = to)}
      onHover={(i) => (hovered.value = plane.words[i]?.id ?? -1)}
      onPick={(i) => lookAt(plane.words[i]?.word ?? "")}
      onLasso={(found) => {
        lassoActive.value = false;
        if (plane.kind === "selection") select(found.map((i) => plane.words[i]?.id ?? -1).sort((a, b) => a - b), selected.peek()?.name || selected.peek()?.about);
      }}
      onEscape={onEscape}
      onReady={(ready) => (map.current = ready)}
    />
  );
}

/** Selected words have the colours that they have on the map of all words. */
function colorsOf(plane: Plane | null): Uint8Array {
  if (plane?.kind !== "selection") return colorPoints(plane?.words.length ?? 0, { by: "none" }, dark.value).colors;
  const all = painted.value.colors;
  return Uint8Array.from({ length: 4 * plane.words.length }, (_, i) => (i % 4 === 3 ? 255 : (all[4 * (plane.words[i >> 2]?.id ?? 0) + (i % 4)] ?? 0)));
}

function named(plane: Plane): string {
  if (plane.kind === "selection") return `${count(plane.words.length)} selected words`;
  const words = plane.words.map((w) => w.word);
  return plane.kind === "analogy" ? `${words.slice(0, 3).join(", ")} and ${words[3] ?? ""}` : `${words[0] ?? ""} → ${words[1] ?? ""}`;
}

/** What the plane is, and how much of the words it holds. */
export function PlaneStatus() {
  const plane = localShown.value;
  if (!plane) return null;
  return (
    <div class="map-status">
      <strong>
        {plane.kind === "selection" ? (again.value === "umap" ? "UMAP" : "PCA") : "The plane"} of {named(plane)}
      </strong>
      {(plane.kind !== "selection" || plane.share > 0) && (
        <span title={`The plane has two of ${model.value?.dim ?? 0} dimensions.`}>
          {percent(plane.share)} of {plane.kind === "analogy" ? "the variance of the four" : plane.kind === "axis" ? `the variance of ${plane.words.length} words` : "their variance"}
        </span>
      )}
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

function emphasisOf(plane: Plane, pointed: number): Emphasis {
  const spot = (i: number): Spot => ({ word: plane.words[i]?.word ?? "", x: plane.layout.points[2 * i] ?? 0, y: plane.layout.points[2 * i + 1] ?? 0 });
  const at = pointed < 0 ? -1 : plane.words.findIndex((w) => w.id === pointed);
  const shown = { ...noEmphasis, hovered: at < 0 ? null : spot(at) };
  if (plane.kind === "selection") return shown;
  if (plane.kind === "axis") return { ...shown, axis: { from: spot(0), to: spot(1) } };
  const [a, b, c] = [spot(0), spot(1), spot(2)];
  return { ...shown, analogy: { a, b, c, target: plane.target, answers: plane.answers.slice(0, numbered).map(spot), miss: `misses by ${percent(plane.missDrawn)}` } };
}
