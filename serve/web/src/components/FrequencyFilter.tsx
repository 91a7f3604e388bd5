import { firstWords, frequent, valueOf, vocabulary } from "../app/state";
import { count } from "../numbers";

/** The fewest words that the slider leaves. */
const fewest = 100;
const steps = 200;

/** Which words may answer: those that were seen often enough. */
export function FrequencyFilter() {
  const words = valueOf(vocabulary.value);
  if (!words || words.words.length <= fewest) return null;
  const all = words.words.length;
  const first = firstWords.value === 0 ? all : Math.min(all, firstWords.value);
  const seen = words.counts?.[first - 1];
  const range = Math.log(all / fewest);
  const choose = (step: number) => (frequent.value = step >= steps ? 0 : Math.round(fewest * Math.exp((range * step) / steps)));
  return (
    <div class="frequency">
      <label class="field">
        <span class="label">
          {first === all ? "Among all words" : `Among words seen ${seen === undefined ? "most" : `${count(seen)} times or more`}: ${count(first)} of ${count(all)}`}
        </span>
        <input type="range" min={0} max={steps} value={Math.round((steps * Math.log(Math.max(1, first / fewest))) / range)} onChange={(event) => choose(Number(event.currentTarget.value))} />
      </label>
      {frequent.value === null && first < all && <p class="note">Rare words have vectors of little meaning. They do not answer, unless the slider is moved to the right.</p>}
    </div>
  );
}
