import { useState } from "preact/hooks";
import { modelName } from "../app/state";
import { copy, download } from "../app/save";
import { shownMap } from "../map/shown";
import { Icon } from "./Icon";

/** The view as a link and as pictures. */
export function Share() {
  const [said, setSaid] = useState("");
  const link = async () => setSaid((await copy(location.href)) ? "Copied." : "The browser refused to copy.");
  const png = async () => {
    const picture = await shownMap.peek()?.()?.png();
    if (picture) download(`${modelName.peek()}.png`, picture, "image/png");
    else setSaid("The browser cannot make the picture.");
  };
  const svg = () => {
    const picture = shownMap.peek()?.()?.svg();
    if (picture) download(`${modelName.peek()}.svg`, picture, "image/svg+xml");
  };
  return (
    <>
      <h3>This view</h3>
      <div class="row wrap">
        <button type="button" class="button" onClick={() => void link()}>
          <Icon name="link" /> Link
        </button>
        <button type="button" class="button" onClick={() => void png()}>
          <Icon name="download" /> PNG
        </button>
        <button type="button" class="button" onClick={svg}>
          <Icon name="download" /> SVG
        </button>
        <span class="note" role="status">
          {said}
        </span>
      </div>
    </>
  );
}
