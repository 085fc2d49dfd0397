import { html } from "htm/preact";
import type { VNode } from "preact";

/** Shows a list beside what is chosen in it; on a phone one of the two. */
export function Panes({
  noun,
  list,
  chosen,
}: {
  noun: string;
  list: VNode;
  chosen?: VNode;
}): VNode {
  return html`<main class="panes ${chosen ? "is-open" : ""}">
    ${list}
    <section class="detail" aria-label=${noun}>
      ${chosen ?? html`<p class="empty">Choose a ${noun.toLowerCase()}.</p>`}
    </section>
  </main>`;
}
