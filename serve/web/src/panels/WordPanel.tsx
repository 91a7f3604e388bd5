import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { chooseColor, clearQuery, drawAnalogy, drawAxis, lookAt, select } from "../app/actions";
import { exampleAnalogies, exampleAxes, exampleWord } from "../app/examples";
import { copy, download } from "../app/save";
import { firstWords, layout, model, modelName, neighborCount, neighbors, query, valueOf, vocabulary } from "../app/state";
import { Cosines } from "../components/Cosines";
import { Shared } from "../components/Shared";
import { Share } from "../components/Share";
import { Composition } from "../components/Composition";
import { Filters } from "../filter/Filters";
import { useSource } from "../components/context";
import { LoadView } from "../components/LoadView";
import { WordList } from "../components/WordList";
import { Icon } from "../components/Icon";
import { meanKept, nearestOnMap, noNeighbors, preserved } from "../map/distortion";
import { left } from "../filter/state";
import type { Neighbor } from "../source";

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
            <Filters />
            <WordList words={list.map((n) => ({ word: n.word, id: n.id, value: n.similarity }))} label={`Neighbours of ${asked.text}`} full={1} />
            {list.length > 0 && <Shared list={list} />}
            <div class="row wrap">
              <button type="button" class="button" onClick={() => select(onMap(list.map((n) => n.id)), `near ${asked.text}`)}>
                Select these words
              </button>
              <Take text={asked.text} expression={asked.expression} list={list} />
            </div>
            <Cosines last={list[list.length - 1]?.similarity ?? 1} />
            <Distortion list={list} />
            <Share />
          </>
        )}
      </LoadView>
      <SeveralWords text={asked.text} />
    </>
  );
}

/** The word's vector and its neighbours for use elsewhere. */
function Take({ text, expression, list }: { text: string; expression: boolean; list: Neighbor[] }) {
  const source = useSource();
  const [said, setSaid] = useState("");
  const copyVector = async () => {
    try {
      const [vector] = await source.vectors(modelName.peek(), [text]);
      setSaid((await copy(JSON.stringify([...(vector ?? [])].map((x) => Number(x.toPrecision(7)))))) ? "Copied." : "The browser refused to copy.");
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
  };
  const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
  const csv = () => ["word,cosine,count", ...list.map((n) => `${quoted(n.word)},${n.similarity},${n.count ?? ""}`), ""].join("\n");
  return (
    <>
      {!expression && (
        <button type="button" class="button" onClick={() => void copyVector()}>
          <Icon name="copy" /> Vector
        </button>
      )}
      <button type="button" class="button" onClick={() => download(`${modelName.value}-neighbours.csv`, csv(), "text/csv")}>
        <Icon name="download" /> CSV
      </button>
      <span class="note" role="status">
        {said}
      </span>
    </>
  );
}

/** How many of a word's nearest ones are compared. */
const compared = 10;

/** How far the map can be believed about this word: which of its nearest in the model are near on the map, and the other way round. */
function Distortion({ list }: { list: Neighbor[] }) {
  const at = layout.value;
  const words = valueOf(vocabulary.value);
  const asked = query.value;
  const found = valueOf(neighbors.value);
  const id = words && asked ? (words.ids.get(found?.found_as ?? asked.text) ?? -1) : -1;
  if (!at || !words || asked?.expression || id < 0 || 2 * id + 1 >= at.points.length) return null;
  const inModel = list.slice(0, compared).map((n) => n.id);
  const near = nearestOnMap(at.points, id, compared, firstWords.value, left.value);
  const both = inModel.filter((n) => near.includes(n));
  const kept = valueOf(preserved.value);
  const rows: [string, number[]][] = [
    ["Both", both],
    ["In the model alone", inModel.filter((n) => !near.includes(n))],
    ["On the map alone", near.filter((n) => !inModel.includes(n))],
  ];
  return (
    <>
      <h3>On this map</h3>
      <p>
        {both.length} of the {inModel.length} nearest in the model are among the {near.length} nearest on the map.
      </p>
      <dl class="facts">
        {rows.map(([name, ids]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{ids.map((n) => words.words[n] ?? "").join(", ") || "–"}</dd>
          </Fragment>
        ))}
      </dl>
      {kept ? (
        <p class="note">
          With rare words: {kept[id] === noNeighbors ? "not known" : `${kept[id] ?? 0} of ${compared}`}. The mean of the map is {meanKept(kept).toFixed(1)}.
        </p>
      ) : (
        <button type="button" class="button" onClick={() => chooseColor({ by: "distortion" })}>
          Colour the map by this
        </button>
      )}
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
  const first = exampleWord(words) || examples[0];
  const [analogyExample] = exampleAnalogies(words);
  const [axisExample] = exampleAxes(words);
  return (
    <>
      <h2>{now.name}</h2>
      <p class="note">
        {numbers.format(now.words)} words, {now.dim} dimensions{now.points < now.words && `; the ${numbers.format(now.points)} most frequent are on the map`}
      </p>
      <p>
        Each dot is a word. Words that the training text uses in similar ways have similar vectors, and lie near each other. The map shows two dimensions of{" "}
        {now.dim}, so it cannot keep all distances.
      </p>
      <div class="chips column">
        {first && (
          <button type="button" class="chip" onClick={() => lookAt(first)}>
            <span>
              What is near to <strong>{first}</strong>?
            </span>
          </button>
        )}
        {analogyExample && (
          <button type="button" class="chip" onClick={() => drawAnalogy(...analogyExample)}>
            <span>
              <strong>{`${analogyExample[1]} − ${analogyExample[0]} + ${analogyExample[2]}`}</strong>: what is it, and by how much does it miss?
            </span>
          </button>
        )}
        {axisExample && (
          <button type="button" class="chip" onClick={() => drawAxis(...axisExample)}>
            <span>
              From <strong>{axisExample[0]}</strong> to <strong>{axisExample[1]}</strong>: which words lie at the ends?
            </span>
          </button>
        )}
      </div>
      <p class="note">Or search a word, or click a dot{examples.length > 0 ? ":" : "."}</p>
      <div class="chips">
        {examples.map((word) => (
          <button key={word} type="button" class="chip" onClick={() => lookAt(word)}>
            {word}
          </button>
        ))}
      </div>
      <Filters />
      <Lessons />
      <details class="disclosure">
        <summary>Keys</summary>
        <dl class="facts">
          {keys.map(([key, does]) => (
            <Fragment key={key}>
              <dt>{key}</dt>
              <dd>{does}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
    </>
  );
}

/** Leads to the pages that explain what the map is of. */
function Lessons() {
  const address = useSource().lessons?.(modelName.value);
  return address === undefined ? null : (
    <p class="note">
      New to word vectors? <a href={address}>Lessons to play with</a>, with the words of this model.
    </p>
  );
}

const keys: [string, string][] = [
  ["/", "search a word"],
  ["Arrows, +, −", "on the map: pan and zoom"],
  ["0", "on the map: show everything"],
  ["Enter", "on the map: look at the word in the middle"],
  ["Shift and drag", "draw around words"],
  ["Escape", "take back the latest question"],
];
