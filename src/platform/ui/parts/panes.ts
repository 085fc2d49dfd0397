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
  chosen: VNode | false;
}): VNode {
  return html`<main class="panes ${chosen ? "is-open" : ""}">
    ${list}
    <section class="detail" aria-label=${noun}>
      ${chosen || html`<p class="empty">Nothing is chosen.</p>`}
    </section>
  </main>`;
}
