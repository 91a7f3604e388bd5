import { useState } from "preact/hooks";
import { setToken, token } from "../token";

/** Asks for the bearer token of a server that wants one. */
export function TokenForm() {
  const [text, setText] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    setToken(text.trim());
    // All that was refused is asked for again.
    location.reload();
  };
  return (
    <main class="token-page">
      <form class="card" onSubmit={submit}>
        <h1>w2v explorer</h1>
        {token.value ? (
          <p class="failed" role="alert">
            The server refused this token.
          </p>
        ) : (
          <p>This server wants a token.</p>
        )}
        <label class="field">
          <span class="label">Token</span>
          <input type="password" autocomplete="off" autofocus value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button primary" disabled={text.trim() === ""}>
          Continue
        </button>
        <p class="note">The token is kept until this tab is closed.</p>
      </form>
    </main>
  );
}
