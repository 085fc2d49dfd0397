import { html } from "htm/preact";
import type { VNode } from "preact";

interface PlaceholderProps {
  readonly state: "missing" | undefined;
  readonly noun: string;
  /** Address of the list. */
  readonly list: string;
}

/** Stands where nothing can be shown: it is being loaded, or there is no such thing. */
export function Placeholder({ state, noun, list }: PlaceholderProps): VNode {
  if (state === undefined) return html`<p class="empty" aria-busy="true">Loading…</p>`;
  return html`<div class="empty">
    <p>There is no such ${noun}.</p>
    <p><a href=${list}>Back to the list</a></p>
  </div>`;
}
