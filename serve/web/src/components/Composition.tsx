import { place, valueOf } from "../app/state";
import { percent } from "../numbers";
import type { Part } from "../source";

/** How many parts are shown at first. */
const shown = 8;

/** What a word that is not in the vocabulary is composed of, with the share of each part. */
export function Composition() {
  const found = valueOf(place.value);
  if (!found?.composed || !found.parts || found.parts.length === 0) return null;
  const parts = [...found.parts].sort((a, b) => b.share - a.share);
  return (
    <section class="composition" aria-labelledby="composition">
      <h3 id="composition">Composed of {parts.length === 1 ? "one part" : `${parts.length} parts`}</h3>
      <p class="note">The model does not know this word. The bars say how much of its vector each part gives.</p>
      <PartList parts={parts.slice(0, shown)} longest={parts[0]?.share ?? 1} label={`Parts of ${found.word}`} />
      {parts.length > shown && (
        <details class="disclosure">
          <summary>{parts.length - shown} more parts</summary>
          <PartList parts={parts.slice(shown)} longest={parts[0]?.share ?? 1} label={`More parts of ${found.word}`} />
        </details>
      )}
    </section>
  );
}

function PartList({ parts, longest, label }: { parts: Part[]; longest: number; label: string }) {
  return (
    <ul class="parts" aria-label={label}>
      {parts.map((part, i) => (
        <li key={`${i} ${part.name}`}>
          <span class="name">{part.name}</span>
          <svg class="share" aria-hidden="true" focusable="false">
            <rect class="track" width="100%" height="8" rx="4" />
            <rect class="value" width={percent(Math.max(0, part.share) / Math.max(longest, 1e-9), 1).replace(" ", "")} height="8" rx="4" />
          </svg>
          <span class="number">{percent(part.share, 1)}</span>
        </li>
      ))}
    </ul>
  );
}
