import { lassoActive, showContours } from "../app/state";
import { Icon, type IconName } from "../components/Icon";
import type { WordMap } from "./word-map";

const zoomStep = 0.8;

/** The buttons over the map. */
export function Toolbar({ map, plane, lasso }: { map: { readonly current: WordMap | null }; plane: boolean; lasso: boolean }) {
  const zoom = (by: number) => {
    map.current?.step(0, 0, by);
  };
  const whole = () => {
    map.current?.showWhole();
  };
  return (
    <div class="toolbar" role="toolbar" aria-label="Map tools" aria-orientation="vertical">
      <Tool icon="plus" label="Zoom in" onClick={() => zoom(zoomStep)} />
      <Tool icon="minus" label="Zoom out" onClick={() => zoom(-zoomStep)} />
      <Tool icon="fit" label={plane ? "Show all of the plane" : "Show the whole map"} onClick={whole} />
      {lasso && <Tool icon="selection" label="Lasso: draw around words" pressed={lassoActive.value} onClick={() => (lassoActive.value = !lassoActive.value)} />}
      {!plane && <Tool icon="contours" label="Density contours" pressed={showContours.value} onClick={() => (showContours.value = !showContours.value)} />}
    </div>
  );
}

function Tool({ icon, label, pressed, onClick }: { icon: IconName; label: string; pressed?: boolean; onClick: () => void }) {
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} aria-pressed={pressed} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
