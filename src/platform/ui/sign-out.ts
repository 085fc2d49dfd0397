/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { postJson } from "./api.ts";
import { loadMe, type Me } from "./review/review-api.ts";

/** Ends the session of who has signed in; nothing for who has a key. */
export function SignOutButton(): VNode | null {
  const [me, setMe] = useState<Me>();
  useEffect(() => {
    void loadMe()
      .then(setMe)
      .catch(() => undefined);
  }, []);
  if (me?.isSignedIn !== true) return null;
  const signOut = async (): Promise<void> => {
    await postJson("/api/logout", {}, {}).catch(() => undefined);
    location.reload();
  };
  return html`<span class="muted hide-small" data-user>${me.name}, ${me.role}</span>
    <button type="button" data-action="sign-out" onClick=${() => void signOut()}>Sign out</button>`;
}
