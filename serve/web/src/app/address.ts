import { computed, effect } from "@preact/signals";
import { again, analogyWords, axisWords, camera, chosen, clustersChosen, colorBy, conditions, frequent, isolated, modelName, named, note, otherModel, panel, planeCamera, projection, query, selections, wholeMap } from "./state";
import { inPlane, viewFromHash, viewToHash, type View } from "./view";

/** How many wrong entries of an address are named. */
const mostNamed = 4;

/** How long the camera must rest before the address says where it is, in milliseconds. */
const cameraRests = 400;

function currentView(): View {
  return {
    model: modelName.value,
    projection: projection.value,
    query: query.value,
    camera: null,
    color: colorBy.value,
    analogy: analogyWords.value,
    axis: axisWords.value,
    frequent: frequent.value,
    clusters: clustersChosen.value,
    where: conditions.value,
    selections: selections.value,
    chosen: chosen.value,
    isolated: isolated.value,
    again: again.value,
    wholeMap: wholeMap.value,
    panel: panel.value,
    other: otherModel.value,
  };
}

/** The camera of what is shown. */
const shownCamera = computed(() => (inPlane(currentView()) ? planeCamera.value : camera.value));

function withCamera(hash: string): string {
  const at = shownCamera.peek();
  return at ? `#${hash}&at=${at.x.toFixed(2)}%2C${at.y.toFixed(2)}%2C${at.zoom.toFixed(2)}` : `#${hash}`;
}

/** Keeps the address like the state. Each step of work is an entry in the history; moving the camera
 * changes the latest one. show is called for a view that the user goes back or forward to. */
export function followAddress(show: (view: View) => void): void {
  let written = "";
  let showing = false;

  const shown = () => {
    showing = true;
    const wrong: string[] = [];
    show(viewFromHash(location.hash, wrong));
    const all = wrong.slice(0, mostNamed).map(named).join(", ");
    if (all) note(`The explorer does not understand ${all}${wrong.length > mostNamed ? " and more" : ""} in the address, and goes on without.`);
    written = viewToHash(currentView());
    showing = false;
  };
  shown();
  window.addEventListener("popstate", shown);

  effect(() => {
    const hash = viewToHash(currentView());
    if (showing || hash === written) return;
    // The first model is chosen by the page, not by a step of the user.
    const first = !new URLSearchParams(written).has("model");
    written = hash;
    if (first) history.replaceState(null, "", withCamera(hash));
    else history.pushState(null, "", withCamera(hash));
  });

  let timer = 0;
  effect(() => {
    void shownCamera.value;
    clearTimeout(timer);
    timer = window.setTimeout(() => history.replaceState(null, "", withCamera(written)), cameraRests);
  });
}
