import { html } from "htm/preact";
import type { VNode } from "preact";
import { countNoun } from "../../util/count-noun.ts";
import type { PlatformStats } from "../options.ts";
import { storeToken } from "./api.ts";
import type { Route } from "./route.ts";
import type { State } from "./use-listing.ts";

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

interface TopBarProps {
  readonly stats: PlatformStats | undefined;
  readonly state: State;
  readonly page: Route["page"];
}

/** Links to the other page; to the traces only once there are some. */
function PageLink({ stats, page }: Pick<TopBarProps, "page" | "stats">): VNode | undefined {
  if (page === "traces") return html`<a href="#/">Conversations</a>`;
  return (stats?.spans ?? 0) > 0 ? html`<a href="#/traces">Traces</a>` : undefined;
}

/** Shows the platform's counts and whether it still responds. */
export function TopBar({ stats, state, page }: TopBarProps): VNode {
  return html`<header class="top">
    <h1>agent-monitor</h1>
    <span class="muted hide-small">local platform</span>
    <${PageLink} stats=${stats} page=${page} />
    <p class="stats muted end" aria-label="Received">
      ${
        stats &&
        html`<span>${countNoun(stats.events, "event")}</span>
          <span class="hide-small">${countNoun(stats.batches, "batch", "batches")}</span>
          <span class="hide-small">${countNoun(stats.duplicates, "duplicate")}</span>
          <span class=${stats.rejected > 0 ? "failed" : "hide-small"}
            >${stats.rejected.toLocaleString("en-US")} rejected</span
          >
          <span class="hide-small">${countNoun(stats.agents, "agent")}</span>
          ${stats.spans > 0 && html`<span class="hide-small">${countNoun(stats.spans, "span")}</span>`}`
      }
    </p>
    <span class="state ${state}" role="status"
      >${state === "offline" ? "✕ offline" : "● live"}</span
    >
  </header>`;
}
