import { useState } from "preact/hooks";
import { chooseColor, lookAt } from "../app/actions";
import { clustersChosen, colorBy, conditions, hovered, model, models, neighbors, otherModel, query, valueOf, vocabulary, type Load } from "../app/state";
import { LoadView } from "../components/LoadView";
import { comparison, other, otherNeighbors } from "../compare/state";
import { filterMoved, inBoth } from "../compare/moved";
import { count, fixed, percent } from "../numbers";
import type { Comparison, MovedWord, Neighbors } from "../source";

/** Two models: the neighbours of a word in both, and the words that moved most from one to the other. */
export function ComparePanel() {
  const others = (valueOf(models.value) ?? []).filter((m) => m.name !== model.value?.name);
  return (
    <>
      <h2>Two models</h2>
      {others.length === 0 ? (
        <p>The server has one model only. Start it with two: w2v serve OLD.w2v NEW.w2v.</p>
      ) : (
        <label class="field">
          <span class="label">Compare {model.value?.name} with</span>
          <select value={other.value?.name ?? ""} onChange={(event) => (otherModel.value = event.currentTarget.value)}>
            <option value="">Choose a model</option>
            {others.map((m) => (
              <option key={m.name} value={m.name}>
                {m.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {other.value && (
        <>
          {colorBy.value.by !== "moved" && (
            <button type="button" class="button" onClick={() => chooseColor({ by: "moved" })}>
              Colour by how far words moved
            </button>
          )}
          <p class="note">
            {colorBy.value.by === "distortion" ? "Each map has the colours of its own distortion." : "Words have the same colour on both maps."} On the second one a ring is where the word that is looked at or pointed at, or each selected word, was on the first, and an arrow goes to
            where it is.
          </p>
          <Pair />
          <LoadView load={comparison.value}>{(value) => <Moved comparison={value} />}</LoadView>
        </>
      )}
    </>
  );
}

/** The neighbours of the word that is looked at, in both models. */
function Pair() {
  const asked = query.value;
  if (!asked) return <p class="note">Search a word, or click a point of either map, to see its neighbours in both models.</p>;
  const [first, second] = [valueOf(neighbors.value), valueOf(otherNeighbors.value)];
  const common = first && second ? inBoth(first.neighbors.map((n) => n.word), second.neighbors.map((n) => n.word)) : null;
  return (
    <section>
      <h3 class="wrap">Neighbours of {asked.text}</h3>
      {common && (
        <p class="note">
          {common.size === 0 ? "No neighbour is common to both." : `${count(common.size)} of ${count(first?.neighbors.length)} are common to both, and marked by =.`}
        </p>
      )}
      {clustersChosen.value.length + conditions.value.length > 0 && <p class="note">The filter by clusters and fields applies to the neighbours in {model.value?.name} alone.</p>}
      <div class="pair">
        <Column title={model.value?.name ?? ""} load={neighbors.value} common={common} />
        <Column title={other.value?.name ?? ""} load={otherNeighbors.value} common={common} />
      </div>
    </section>
  );
}

interface ColumnProps {
  title: string;
  load: Load<Neighbors>;
  common: Set<string> | null;
}

function Column({ title, load, common }: ColumnProps) {
  return (
    <div>
      <h3 class="wrap">{title}</h3>
      <LoadView load={load}>
        {(value) => (
          <ol aria-label={`Neighbours in ${title}`}>
            {value.neighbors.map((n) => (
              <li key={n.word} class={common?.has(n.word) ? "common" : ""}>
                <WordLink word={n.word} />
                <span class="visually-hidden">{common?.has(n.word) ? " in both" : ""}</span>
                <span class="number">{fixed(n.similarity, 2)}</span>
              </li>
            ))}
          </ol>
        )}
      </LoadView>
    </div>
  );
}

/** A word that is looked at in both models when it is clicked, and shown on the maps when it is pointed at. */
function WordLink({ word }: { word: string }) {
  const show = () => (hovered.value = valueOf(vocabulary.value)?.ids.get(word) ?? -1);
  const leave = () => (hovered.value = -1);
  const look = () => {
    leave();
    lookAt(word);
  };
  return (
    <button type="button" class="link" onClick={look} onPointerEnter={show} onPointerLeave={leave} onFocus={show} onBlur={leave}>
      {word}
    </button>
  );
}

function Moved({ comparison: value }: { comparison: Comparison }) {
  const [text, setText] = useState("");
  const [which, setWhich] = useState<"moved" | "stable">("moved");
  if (value.state === "running") {
    return (
      <div role="status" class="note">
        <p>Comparing the models{value.stage ? `: ${value.stage}` : ""}…</p>
        <progress max={1} value={value.progress ?? 0} aria-label="Progress of the comparison" />
      </div>
    );
  }
  const words = filterMoved(which === "moved" ? value.moved : value.stable, text);
  return (
    <section>
      <h3>Words that moved</h3>
      <p class="note">
        {count(value.shared)} words are in both. The models were rotated onto each other; the number is the cosine of a word’s two vectors
        {value.median === undefined ? "." : `, whose median is ${fixed(value.median, 2)}.`}
        {(value.rare ?? 0) > 0 && ` ${count(value.rare)} words that a model saw fewer than ${count(value.min_count)} times are left out.`}
      </p>
      <div class="row">
        <fieldset class="segmented">
          <legend class="visually-hidden">Which words</legend>
          {(["moved", "stable"] as const).map((choice) => (
            <label key={choice}>
              <input type="radio" name="moved" checked={which === choice} onChange={() => setWhich(choice)} />
              <span>{choice === "moved" ? "Most" : "Least"}</span>
            </label>
          ))}
        </fieldset>
        <input type="text" class="filter" aria-label="Filter the words that moved" placeholder="Filter" autocomplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </div>
      {words.length === 0 && <p class="note">No word fits.</p>}
      <ol class="moved" aria-label={which === "moved" ? "Words that moved most" : "Words that moved least"}>
        {words.map((m) => (
          <MovedItem key={m.word} moved={m} />
        ))}
      </ol>
      <Only title={`Only in ${model.value?.name ?? ""}`} of={value.only_old} />
      <Only title={`Only in ${other.value?.name ?? ""}`} of={value.only_new} />
    </section>
  );
}

/** How many neighbours of a word that moved are named. */
const named = 4;

function MovedItem({ moved }: { moved: MovedWord }) {
  const common = inBoth(moved.old_neighbors, moved.new_neighbors).size;
  return (
    <li>
      <WordLink word={moved.word} />
      <span class="number">{fixed(moved.cosine)}</span>
      <span class="note">
        {moved.old_neighbors.slice(0, named).join(", ")} <span aria-hidden="true">→</span>
        <span class="visually-hidden">; now</span> {moved.new_neighbors.slice(0, named).join(", ")}
        {moved.old_neighbors.length > 0 && ` · ${percent(common / moved.old_neighbors.length)} common`}
      </span>
    </li>
  );
}

function Only({ title, of }: { title: string; of: { count: number; words: string[] } | undefined }) {
  if (!of || of.count === 0) return null;
  return (
    <details class="disclosure">
      <summary>
        {title}: {count(of.count)} words
      </summary>
      <p class="note wrap">
        {of.words.join(", ")}
        {of.count > of.words.length && " …"}
      </p>
    </details>
  );
}
