import { useState } from "preact/hooks";
import { clearSelection, lookAt, selectCluster } from "../app/actions";
import { copy, download } from "../app/save";
import { hovered, lassoActive, layout, modelName, selection, valueOf, vocabulary } from "../app/state";
import { linkedWords } from "../app/view";
import { Icon } from "../components/Icon";

/** How many words are listed; all are copied and downloaded. */
const listed = 300;

const numbers = new Intl.NumberFormat("en");

/** The words in the lasso, or in a cluster. */
export function SelectionPanel() {
  const [copied, setCopied] = useState("");
  const all = layout.value ? layout.value.points.length / 2 : Infinity;
  const ids = selection.value.filter((id) => id < all);
  const words = valueOf(vocabulary.value)?.words ?? [];
  const text = () => ids.map((id) => `${words[id] ?? ""}\n`).join("");
  const copyAll = async () => setCopied((await copy(text())) ? "Copied." : "The browser refused to copy.");

  return (
    <>
      <header class="panel-head">
        <h2>Selection</h2>
        {ids.length > 0 && (
          <button type="button" class="icon-button" aria-label="Clear the selection" onClick={clearSelection}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <button type="button" class="button" aria-pressed={lassoActive.value} onClick={() => (lassoActive.value = !lassoActive.value)}>
        <Icon name="selection" /> {lassoActive.value ? "Draw around words on the map" : "Lasso"}
      </button>
      <ClusterSelect />
      {ids.length === 0 ? (
        <p class="note">Draw around words: hold Shift and drag, or press Lasso first. Or choose a cluster above.</p>
      ) : (
        <>
          <div class="row">
            <p>
              <strong>{numbers.format(ids.length)}</strong> {ids.length === 1 ? "word" : "words"}
            </p>
            <button type="button" class="button" onClick={() => void copyAll()}>
              <Icon name="copy" /> Copy
            </button>
            <button type="button" class="button" onClick={() => download(`${modelName.value}-words.txt`, text())}>
              <Icon name="download" /> Download
            </button>
          </div>
          <p class="note" role="status">
            {copied}
          </p>
          {ids.length > linkedWords && <p class="note">The address does not hold so many words: select {numbers.format(linkedWords)} or fewer to send them.</p>}
          <ul class="words" aria-label="Selected words" onPointerLeave={() => (hovered.value = -1)}>
            {ids.slice(0, listed).map((id) => (
              <li key={id}>
                <button type="button" class="chip" onClick={() => lookAt(words[id] ?? "")} onPointerEnter={() => (hovered.value = id)} onFocus={() => (hovered.value = id)}>
                  {words[id]}
                </button>
              </li>
            ))}
          </ul>
          {ids.length > listed && <p class="note">{numbers.format(ids.length - listed)} more are copied and downloaded.</p>}
        </>
      )}
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
            {cluster.label} ({numbers.format(cluster.size)})
          </option>
        ))}
      </select>
    </label>
  );
}
