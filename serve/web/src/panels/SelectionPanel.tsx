import { useComputed } from "@preact/signals";
import { useState } from "preact/hooks";
import { canKeep, clearSelection, combine, deleteSelection, isolate, nameSelection, projectAgain, select, selectCluster, showSelection } from "../app/actions";
import { copy, download } from "../app/save";
import { again, chosen, isolated, lassoActive, layout, modelName, selected, selections, valueOf, vocabulary } from "../app/state";
import { linked } from "../app/view";
import { useSource } from "../components/context";
import { Icon } from "../components/Icon";
import { LoadView } from "../components/LoadView";
import { WordList } from "../components/WordList";
import { left } from "../filter/state";
import { css } from "../map/palette";
import { count, percent, short } from "../numbers";
import { colorOf, distinguishing, listed, localSelection, middles, selectionFacts, typical } from "../selections/state";
import { dark } from "../theme";

/** How many words are listed; all are copied and downloaded. */
const listedWords = 300;
const typicalWords = 8;

/** Many words: those in the lasso, of a cluster, or that a filter leaves, and the selections that have a name. */
export function SelectionPanel() {
  const now = selected.value;
  const left = useComputed(() => linked(selections.value).left.length);
  return (
    <>
      <header class="panel-head">
        <h2>Selection</h2>
        {now && (
          <button type="button" class="icon-button" aria-label="Clear the selection" onClick={clearSelection}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <button type="button" class="button" aria-pressed={lassoActive.value} onClick={() => (lassoActive.value = !lassoActive.value)}>
        <Icon name="selection" /> {lassoActive.value ? "Draw around words on the map" : "Lasso"}
      </button>
      <ClusterSelect />
      <OfFilter />
      <Kept />
      {now ? <Chosen key={chosen.value} /> : <p class="note">Draw around words: hold Shift and drag, or press Lasso first. Or choose a cluster above.</p>}
      {left.value > 0 && <p class="note">The address has no room for {left.value === 1 ? "one selection" : `${left.value} selections`}: it holds about 12,000 words that are spread over the map. Save the list to send it.</p>}
    </>
  );
}

/** The selections, one of which is looked at. */
function Kept() {
  if (selections.value.length === 0 || (selections.value.length === 1 && chosen.value === 0 && selections.value[0]?.name === "")) return null;
  return (
    <ul class="kept" aria-label="Selections">
      {selections.value.map(({ name, about, ids }, place) => {
        const color = colorOf(place, dark.value);
        return (
          <li key={place}>
            <button type="button" class="chip" aria-pressed={place === chosen.value} onClick={() => showSelection(place === chosen.value ? -1 : place)}>
              {color && (
                <svg class="legend-swatch" viewBox="0 0 10 10" aria-hidden="true">
                  <circle cx="5" cy="5" r="5" fill={css(color)} />
                </svg>
              )}
              {name || about || "not kept"}
              <span class="note">{count(ids.length)}</span>
            </button>
            <button type="button" class="icon-button" aria-label={`Delete the selection ${name || about || ""}`} onClick={() => deleteSelection(place)}>
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Chosen() {
  const now = selected.value;
  if (!now) return null;
  const { ids } = now;
  return (
    <>
      <Name name={now.name} about={now.about ?? ""} place={chosen.value} />
      {/* Above what is loaded: nothing that can be pressed moves. */}
      <Alone />
      <Combine />
      <LoadView load={selectionFacts.value}>
        {(facts) => (
          <dl class="facts">
            <dt>Words</dt>
            <dd>{count(ids.length)}</dd>
            {ids.length > 1 && (
              <>
                <dt title="The mean of the cosines of all pairs of words.">Mean similarity</dt>
                <dd>{facts.similarity.toFixed(3)}</dd>
              </>
            )}
            {middles.value.map(({ name, inside, all }) => (
              <>
                <dt>{name}, median</dt>
                <dd>
                  {short(inside)} <span class="note">({short(all)} of all words)</span>
                </dd>
              </>
            ))}
          </dl>
        )}
      </LoadView>
      <Distinct />
      <Words />
    </>
  );
}

/** Gives the selection a name, with which it stays. */
function Name({ name, about, place }: { name: string; about: string; place: number }) {
  const [text, setText] = useState(name);
  const meant = about || `selection ${place + 1}`;
  const keep = () => nameSelection(text.trim() || meant);
  const full = name === "" && !canKeep();
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <label class="field grow">
        <span class="visually-hidden">Name of the selection</span>
        <input type="text" maxLength={60} value={text} placeholder={meant} disabled={full} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button" disabled={full} title={full ? "There are as many selections as can be told apart: delete one." : "Selections with a name stay beside each other."}>
        {name === "" ? "Keep" : "Rename"}
      </button>
    </form>
  );
}

/** What the words have in common, and the rest has not. */
function Distinct() {
  const facts = valueOf(selectionFacts.value);
  const traits = distinguishing.value;
  const words = valueOf(vocabulary.value)?.words ?? [];
  return (
    <>
      {typical.value.length > 0 && (
        <p title="The words nearest to the mean, of those that were seen often enough to answer.">
          <span class="label">Most typical: </span>
          {typical.value.slice(0, typicalWords).map((id) => words[id] ?? "").join(", ")}
        </p>
      )}
      {facts && facts.toward.length > 0 && (
        <p title="The words nearest to the difference of the mean of these words and that of all others.">
          <span class="label">In the direction from the rest to these: </span>
          {facts.toward.slice(0, typicalWords).map((w) => w.word).join(", ")}
        </p>
      )}
      {traits.length > 0 && (
        <table class="traits">
          <caption class="label">What more of them have than of the others</caption>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">here</th>
              <th scope="col">elsewhere</th>
            </tr>
          </thead>
          <tbody>
            {traits.map(({ name, value, inside, outside }) => (
              <tr key={`${name} ${value}`}>
                <th scope="row">
                  <span class="note">{name}</span> {value}
                </th>
                <td>{percent(inside)}</td>
                <td>{percent(outside, outside < 0.1 ? 1 : 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** The map of the selection alone. */
function Alone() {
  const source = useSource();
  const titles = { pca: "PCA", umap: "UMAP" } as const;
  const load = localSelection.value;
  return (
    <>
      <div class="row wrap" role="group" aria-label="The map of these words alone">
        <button type="button" class="button" aria-pressed={isolated.value} onClick={() => isolate(!isolated.value)}>
          {isolated.value ? "Show all words" : "Hide the others"}
        </button>
        {source.can.again.map((by) => (
          <button key={by} type="button" class="button" aria-pressed={again.value === by} title="Projects these words without the others." onClick={() => projectAgain(again.value === by ? "" : by)}>
            {again.value === by ? "Back to the whole map" : `${titles[by]} of these`}
          </button>
        ))}
      </div>
      {again.value !== "" && load.state === "loading" && <p class="note" role="status">{titles[again.value]} of {count(selected.value?.ids.length)} words is being computed.</p>}
      {again.value !== "" && load.state === "failed" && <p class="message failed" role="alert">{load.error.message}</p>}
    </>
  );
}

/** Makes a selection of this one and another one. */
function Combine() {
  const [how, setHow] = useState<"with" | "without" | "common">("with");
  if (selections.value.length < 2) return null;
  return (
    <div class="row wrap">
      <select aria-label="How to combine" value={how} onChange={(event) => setHow(event.currentTarget.value as typeof how)}>
        <option value="with">together with</option>
        <option value="without">without</option>
        <option value="common">in common with</option>
      </select>
      <select class="grow" aria-label="The other selection" value="" onChange={(event) => event.currentTarget.value !== "" && combine(how, Number(event.currentTarget.value))}>
        <option value="" disabled>
          another selection…
        </option>
        {selections.value.map(({ name, about }, place) =>
          place === chosen.value ? null : (
            <option key={place} value={place}>
              {name || about || "not kept"}
            </option>
          ),
        )}
      </select>
    </div>
  );
}

/** All words, to look at and to take away. */
function Words() {
  const [said, setSaid] = useState("");
  const words = valueOf(vocabulary.value)?.words ?? [];
  const counts = valueOf(vocabulary.value)?.counts;
  const list = listed.value;
  const name = `${modelName.value}-${(selected.value?.name || "words").replace(/[^\p{L}\p{N}-]+/gu, "-")}`;
  const text = () => list.map(({ id }) => `${words[id] ?? ""}\n`).join("");
  const quoted = (word: string) => (/[",\n\r]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);
  const table = () => `word,rank,count,cosine_with_mean\n${list.map(({ id, cosine }) => `${quoted(words[id] ?? "")},${id + 1},${counts?.[id] ?? ""},${cosine?.toFixed(5) ?? ""}\n`).join("")}`;
  return (
    <>
      <div class="row wrap">
        <button type="button" class="button" onClick={() => void copy(text()).then((done) => setSaid(done ? "Copied." : "The browser refused to copy."))}>
          <Icon name="copy" /> Copy
        </button>
        <button type="button" class="button" onClick={() => download(`${name}.txt`, text())}>
          <Icon name="download" /> TXT
        </button>
        <button type="button" class="button" onClick={() => download(`${name}.csv`, table(), "text/csv")}>
          <Icon name="download" /> CSV
        </button>
      </div>
      <p class="note" role="status">
        {said}
      </p>
      <WordList words={list.slice(0, listedWords).map(({ id, cosine }) => ({ word: words[id] ?? "", id, value: cosine ?? 0 }))} label="Selected words, by their cosine with the mean" full={1} />
      {list.length > listedWords && <p class="note">{count(list.length - listedWords)} more are copied and saved.</p>}
    </>
  );
}

/** Selects a cluster: the way to a selection without a pointer. */
function ClusterSelect() {
  const at = layout.value;
  const clusters = at?.info.clusters ?? [];
  if (!at || clusters.length === 0) return null;
  return (
    <label class="field">
      <span class="label">Cluster</span>
      <select value="" onChange={(event) => selectCluster(Number(event.currentTarget.value))}>
        <option value="" disabled>
          Select a cluster…
        </option>
        {clusters.map((cluster) => (
          <option key={cluster.id} value={cluster.id}>
            {cluster.label} ({count(cluster.size)})
          </option>
        ))}
      </select>
    </label>
  );
}

/** Selects the words that the filter leaves. */
function OfFilter() {
  const ids = useComputed(() => {
    const mask = left.value;
    if (!mask) return null;
    const found: number[] = [];
    mask.forEach((one, id) => one === 1 && found.push(id));
    return found;
  });
  const found = ids.value;
  if (!found || found.length === 0) return null;
  return (
    <button type="button" class="button" onClick={() => select(found, "words of the filter")}>
      Select the {count(found.length)} words of the filter
    </button>
  );
}
