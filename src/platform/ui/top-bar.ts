import { html } from "htm/preact";
import type { VNode } from "preact";
import type { PlatformStats } from "../options.ts";
import { formatCount } from "./format.ts";
import type { State } from "./use-listing.ts";

/** Shows what the platform counted and whether it still answers. */
export function TopBar({
  stats,
  state,
}: {
  stats: PlatformStats | undefined;
  state: State;
}): VNode {
  return html`<header class="top">
    <h1>agent-monitor</h1>
    <span class="muted hide-small">local platform</span>
    <p class="stats muted end" aria-label="Received">
      ${
        stats &&
        html`<span>${formatCount(stats.events, "event")}</span>
          <span class="hide-small"
            >${formatCount(stats.batches, "batch").replace(/batchs$/, "batches")}</span
          >
          <span class="hide-small">${formatCount(stats.duplicates, "duplicate")}</span>
          <span class=${stats.rejected > 0 ? "failed" : "hide-small"}
            >${stats.rejected.toLocaleString("en-US")} rejected</span
          >
          <span class="hide-small">${formatCount(stats.agents, "agent")}</span>`
      }
    </p>
    <span class="state ${state}" role="status"
      >${state === "offline" ? "✕ offline" : "● live"}</span
    >
  </header>`;
}
