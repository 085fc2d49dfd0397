/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { storeToken } from "./api.ts";

/** Asks for the token of a platform that needs one. */
export function TokenForm({ onToken }: { onToken: () => void }): VNode {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("token");
    if (!(field instanceof HTMLInputElement)) return;
    storeToken(field.value.trim());
    onToken();
  };
  return html`<main class="empty">
    <h1>agent-monitor</h1>
    <p>
      This platform needs a token to be read. Open the address that was printed when it started, or
      enter the key.
    </p>
    <form onSubmit=${submit}>
      <label>Token <input name="token" type="password" autocomplete="off" required /></label>
      <button type="submit">Open</button>
    </form>
  </main>`;
}
