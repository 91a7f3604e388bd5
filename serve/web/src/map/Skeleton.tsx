import { chooseProjection } from "../app/actions";
import { mapInfo, model, projection, valueOf } from "../app/state";
import { count } from "../numbers";
import { progressText } from "./MapStatus";

/** Where the blobs are, and how large: there is nothing to be read in them. */
const blobs = [
  [24, 30, 9],
  [40, 22, 6],
  [60, 28, 10],
  [76, 44, 7],
  [66, 66, 9],
  [46, 74, 7],
  [28, 62, 10],
  [48, 48, 6],
] as const;

const ways = {
  pca: "PCA shows the two directions in which the words differ most.",
  umap: "UMAP lays the words out so that those that are near in the model are near on the map.",
} as const;

/** Stands in the place of a first map that is being computed: what is computed, how long it takes, and what can be done meanwhile. */
export function Skeleton() {
  const info = valueOf(mapInfo.value);
  const now = model.value;
  if (!info || !now) return null;
  const by = projection.value;
  return (
    <div class="skeleton">
      <svg viewBox="0 0 100 100" aria-hidden="true" focusable="false">
        {blobs.map(([x, y, r]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={r} />
        ))}
      </svg>
      <div class="skeleton-card">
        <label>
          <strong>The map of {count(now.points)} words is being computed</strong>
          <progress value={info.progress ?? 0} max={1} />
        </label>
        <p class="note">{progressText(info)}</p>
        <p>{ways[by]} It is kept for the next time. Search, neighbours, analogies and axes answer already.</p>
        {by === "umap" && now.projections.includes("pca") && (
          <button type="button" class="button" onClick={() => chooseProjection("pca")}>
            Show PCA now
          </button>
        )}
      </div>
    </div>
  );
}
