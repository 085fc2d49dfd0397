import { html } from "htm/preact";
import type { VNode } from "preact";

interface PlaceholderProps {
  /** `undefined` while it is being loaded. */
  readonly state: "failed" | "missing" | "offline" | undefined;
  readonly noun: string;
  /** Address of the list. */
  readonly list: string;
  /** What the platform says of a failure. */
  readonly reason?: string | undefined;
}

/** Stands where nothing can be shown: it is being loaded, there is no such thing, or the platform does not give it. */
export function Placeholder({ state, noun, list, reason }: PlaceholderProps): VNode {
  if (state === undefined) return html`<p class="empty" aria-busy="true">Loading…</p>`;
  const said = {
    missing: `There is no such ${noun}.`,
    offline: "The platform does not answer. This page tries again by itself.",
    failed: `The ${noun} could not be loaded: ${reason ?? "something failed"}.`,
  };
  return html`<div class="empty" role=${state === "missing" ? undefined : "alert"}>
    <p>${said[state]}</p>
    <p><a href=${list}>Back to the list</a></p>
  </div>`;
}
