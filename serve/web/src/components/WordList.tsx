import { useLayoutEffect } from "preact/hooks";
import { lookAt } from "../app/actions";
import { hovered } from "../app/state";

export interface ListedWord {
  word: string;
  id: number;
  /** What the bar and the number show. */
  value: number;
  note?: string;
}

interface Props {
  words: ListedWord[];
  label: string;
  /** The value whose bar has full length; the largest one by default. */
  full?: number;
  format?: (value: number) => string;
  /** Called instead of looking at the word. */
  onPick?: (word: string) => void;
}

/** A ranked list of words with bars. A word that is pointed at or focused is shown on the map; one that is
 * picked is looked at. */
export function WordList({ words, label, full, format = (value) => value.toFixed(3), onPick = lookAt }: Props) {
  const longest = full ?? Math.max(1e-9, ...words.map((w) => Math.abs(w.value)));
  const leave = () => (hovered.value = -1);
  // A list that goes away under the pointer gets no event.
  useLayoutEffect(() => () => void leave(), []);
  return (
    <ol class="word-list" aria-label={label} onPointerLeave={leave}>
      {words.map((w) => (
        <li key={`${w.id} ${w.word}`}>
          <button type="button" onClick={() => onPick(w.word)} onPointerEnter={() => (hovered.value = w.id)} onFocus={() => (hovered.value = w.id)} onBlur={leave}>
            <span class="word">{w.word}</span>
            {w.note && <span class="note">{w.note}</span>}
            <span class="number">{format(w.value)}</span>
            <meter class="bar" min={0} max={1} value={Math.min(1, Math.max(0, Math.abs(w.value) / longest))} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ol>
  );
}
