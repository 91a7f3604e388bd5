import { announcement, models, notice, panel } from "../app/state";
import { OtherMap } from "../compare/OtherMap";
import { other } from "../compare/state";
import { MapView } from "../map/MapView";
import { panels } from "../panels/registry";
import { tokenWanted } from "../token";
import { Header } from "./Header";
import { Icon } from "./Icon";
import { Sidebar } from "./Sidebar";
import { TokenForm } from "./TokenForm";

export function App() {
  if (tokenWanted.value) return <TokenForm />;
  const all = models.value;
  const wide = panels.some((p) => p.id === panel.value && p.wide);
  return (
    <>
      <a class="skip" href="#panel" onClick={skip}>
        Skip to the panel
      </a>
      <Header />
      {notice.value && (
        <p class="notice" role="alert">
          {notice.value}
          <button type="button" class="icon-button" aria-label="Close this note" onClick={() => (notice.value = "")}>
            <Icon name="close" />
          </button>
        </p>
      )}
      <main class={wide ? "body wide" : other.value ? "body two" : "body"}>
        {all.state === "failed" ? (
          <p class="message failed" role="alert">
            {all.error.message}
          </p>
        ) : (
          <>
            <MapView />
            {other.value && <OtherMap />}
            <Sidebar />
          </>
        )}
      </main>
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}

/** The address holds the view, so the link must not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("panel")?.focus();
}
