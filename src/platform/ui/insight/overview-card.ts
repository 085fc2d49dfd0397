import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";

/** A part of a page, with its heading. */
export function Card({
  title,
  children,
  isWide = false,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}): VNode {
  return html`<section class="card ${isWide ? "is-wide" : ""}" aria-label=${title}>
    <h2>${title}</h2>
    ${children}
  </section>`;
}

/** Shows what is there, or why nothing is. */
export function PageState({ failure }: { readonly failure: string | undefined }): VNode {
  if (failure === undefined) return html`<p class="empty" aria-busy="true">Loading…</p>`;
  return html`<p class="empty" role="alert">This could not be loaded: ${failure}.</p>`;
}
