import { html } from "htm/preact";
import type { VNode } from "preact";
import { countNoun, formatCount } from "../../util/count-noun.ts";
import type { PlatformStats } from "../options.ts";
import type { ConnectionState } from "./connection.ts";
import { type Page, PAGES } from "./pages.ts";
import { SignOutButton } from "./sign-out.ts";

interface TopBarProps {
  readonly stats: PlatformStats | undefined;
  readonly state: ConnectionState;
  readonly page: Page;
}

/** Shows the pages, the platform's counts, and whether it still responds. */
export function TopBar({ stats, state, page }: TopBarProps): VNode {
  const listed = PAGES.filter(({ isListed }) => isListed === undefined || isListed(stats));
  return html`<header class="top">
    <h1>agent-monitor</h1>
    <nav class="pages" aria-label="Pages">
      ${listed.map(
        ({ label, path }) =>
          html`<a
            key=${path}
            href="#/${path}"
            aria-current=${page.path === path ? "page" : undefined}
            >${label}</a
          >`,
      )}
    </nav>
    <p class="stats muted end" aria-label="Received">
      ${
        stats &&
        html`<span>${countNoun(stats.events, "event")}</span>
          <span class="hide-small">${countNoun(stats.batches, "batch", "batches")}</span>
          <span class="hide-small">${countNoun(stats.duplicates, "duplicate")}</span>
          <span class=${stats.rejected > 0 ? "failed" : "hide-small"}
            >${formatCount(stats.rejected)} rejected</span
          >
          <span class="hide-small">${countNoun(stats.agents, "agent")}</span>
          ${stats.spans > 0 && html`<span class="hide-small">${countNoun(stats.spans, "span")}</span>`}`
      }
    </p>
    ${state === "ready" && html`<${SignOutButton} />`}
    <span class="state ${state}" role="status"
      >${state === "offline" ? "✕ offline" : "● live"}</span
    >
  </header>`;
}
