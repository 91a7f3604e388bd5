import { announcement, models } from "../app/state";
import { MapView } from "../map/MapView";
import { tokenWanted } from "../token";
import { Header } from "./Header";
import { Sidebar } from "./Sidebar";
import { TokenForm } from "./TokenForm";

export function App() {
  if (tokenWanted.value) return <TokenForm />;
  const all = models.value;
  return (
    <>
      <a class="skip" href="#panel" onClick={skip}>
        Skip to the panel
      </a>
      <Header />
      <main class="body">
        {all.state === "failed" ? (
          <p class="message failed" role="alert">
            {all.error.message}
          </p>
        ) : (
          <>
            <MapView />
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
