/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { postJson, storeToken } from "./api.ts";

/** Returns whether people sign in with an identity provider; `undefined` until it is known. */
function useProvider(): boolean | undefined {
  const [hasProvider, setHasProvider] = useState<boolean>();
  useEffect(() => {
    void fetch("/api/login")
      .then((response) => response.json() as Promise<{ readonly oidc: boolean }>)
      .then(({ oidc }) => setHasProvider(oidc))
      .catch(() => setHasProvider(false));
  }, []);
  return hasProvider;
}

function SignInButton(): VNode {
  const [failure, setFailure] = useState<string>();
  const signIn = async (): Promise<void> => {
    try {
      const { url } = await postJson<{ readonly url: string }>("/api/login/start", {}, {});
      location.assign(url);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "it did not work");
    }
  };
  return html`<p>
      <button type="button" class="primary" data-action="sign-in" onClick=${() => void signIn()}>
        Sign in
      </button>
    </p>
    ${failure !== undefined && html`<p class="failed" role="alert">${failure}</p>`}`;
}

/** Asks for the token of a platform that needs one, or to sign in. */
export function TokenForm({ onToken }: { onToken: () => void }): VNode {
  const hasProvider = useProvider();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("token");
    if (!(field instanceof HTMLInputElement)) return;
    storeToken(field.value.trim());
    onToken();
  };
  return html`<main class="empty">
    <h1>agent-monitor</h1>
    ${hasProvider === true && html`<${SignInButton} />`}
    <p>
      ${
        hasProvider === true
          ? "Or enter a key."
          : "This platform needs a token to be read. Open the address that was printed when it started, or enter the key."
      }
    </p>
    <form onSubmit=${submit}>
      <label>Token <input name="token" type="password" autocomplete="off" required /></label>
      <button type="submit">Open</button>
    </form>
  </main>`;
}
