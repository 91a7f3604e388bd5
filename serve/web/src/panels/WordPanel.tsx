import { clearQuery, drawAnalogy, lookAt, select } from "../app/actions";
import { layout, model, neighborCount, neighbors, query, valueOf, vocabulary } from "../app/state";
import { Composition } from "../components/Composition";
import { FrequencyFilter } from "../components/FrequencyFilter";
import { LoadView } from "../components/LoadView";
import { WordList } from "../components/WordList";
import { Icon } from "../components/Icon";

const numbers = new Intl.NumberFormat("en");

/** The word or expression that is looked at, and its nearest neighbours. */
export function WordPanel() {
  const asked = query.value;
  if (!asked) return <Start />;
  return (
    <>
      <header class="panel-head">
        <h2>{asked.text}</h2>
        <button type="button" class="icon-button" aria-label="Close this word" onClick={clearQuery}>
          <Icon name="close" />
        </button>
      </header>
      <Facts />
      <Composition />
      <LoadView load={neighbors.value}>
        {({ neighbors: list }) => (
          <>
            <div class="row">
              <h3>Nearest neighbours</h3>
              <label class="field inline">
                <span class="visually-hidden">How many neighbours</span>
                <select value={neighborCount.value} onChange={(event) => (neighborCount.value = Number(event.currentTarget.value))}>
                  {[12, 25, 50, 100].map((k) => (
                    <option key={k} value={k}>
                      {k}
                    </option>
                  ))}
                </select>
              </label>
            </div>
            <FrequencyFilter />
            <WordList words={list.map((n) => ({ word: n.word, id: n.id, value: n.similarity }))} label={`Neighbours of ${asked.text}`} full={1} />
            <button type="button" class="button" onClick={() => select(onMap(list.map((n) => n.id)))}>
              Select these words
            </button>
          </>
        )}
      </LoadView>
      <SeveralWords text={asked.text} />
    </>
  );
}

function onMap(ids: number[]): number[] {
  const points = (layout.peek()?.points.length ?? 0) / 2;
  return ids.filter((id) => id >= 0 && id < points);
}

/** What may be meant by words that were typed one after the other. */
function SeveralWords({ text }: { text: string }) {
  const parts = text.split(/\s+/);
  const ids = valueOf(vocabulary.value)?.ids;
  if (neighbors.value.state !== "failed" || parts.length < 2 || parts.length > 5 || !parts.every((word) => ids?.has(word))) return null;
  const [a, b, c] = parts;
  const sums = [parts.join(" + ")];
  if (parts.length === 3) sums.push(`${a} - ${b} + ${c}`);
  return (
    <>
      <p>Each of these words is known. Look at a sum of them{parts.length === 3 && ", or draw an analogy"}:</p>
      <div class="chips column">
        {sums.map((sum) => (
          <button key={sum} type="button" class="chip" onClick={() => lookAt(sum)}>
            {sum}
          </button>
        ))}
        {parts.length === 3 && a && b && c && (
          <button type="button" class="chip" onClick={() => drawAnalogy(a, b, c)}>
            {a} : {b} = {c} : ?
          </button>
        )}
      </div>
    </>
  );
}

/** How frequent the word is, and how it was found. */
function Facts() {
  const words = valueOf(vocabulary.value);
  const found = valueOf(neighbors.value);
  const asked = query.value;
  if (!words || !found || !asked) return null;
  const id = words.ids.get(found.found_as ?? asked.text);
  const facts: string[] = [];
  if (asked.expression) facts.push("expression");
  else if (id !== undefined) {
    facts.push(`rank ${numbers.format(id + 1)} of ${numbers.format(model.value?.words ?? words.words.length)}`);
    const count = words.counts?.[id];
    if (count !== undefined) facts.push(`${numbers.format(count)} occurrences`);
  } else facts.push(found.composed ? "not in the vocabulary, composed from n-grams" : "not on the map");
  if (found.found_as && found.found_as !== asked.text && !asked.expression) facts.push(`found as “${found.found_as}”`);
  return <p class="note">{facts.join(" · ")}</p>;
}

/** What one can do first. */
function Start() {
  const now = model.value;
  const words = valueOf(vocabulary.value);
  if (!now) return <p class="note loading">Loading…</p>;
  const examples = words ? words.words.slice(0, 3000).filter((word) => /^\p{L}{5,}$/u.test(word)).filter((_, i) => i % 90 === 7).slice(0, 10) : [];
  return (
    <>
      <h2>{now.name}</h2>
      <p class="note">
        {numbers.format(now.words)} words, {now.dim} dimensions{now.points < now.words && `; the ${numbers.format(now.points)} most frequent are on the map`}
      </p>
      <p>Search a word, or click a point.</p>
      <div class="chips">
        {examples.map((word) => (
          <button key={word} type="button" class="chip" onClick={() => lookAt(word)}>
            {word}
          </button>
        ))}
      </div>
    </>
  );
}
