/// <reference lib="dom" />
import { html, render } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { countNoun } from "../../util/count-noun.ts";
import type { PlatformStats } from "../options.ts";
import { storeToken } from "./api.ts";
import { ConversationList, useListing, type State } from "./conversation-list.ts";
import { ConversationView } from "./conversation-view.ts";
import { QueueList, toQueueAddress, useQueue } from "./queue.ts";
import { QueueKeys } from "./queue-keys.ts";
import { loadMe, type Me } from "./review-api.ts";
import { ReviewPanel } from "./review-panel.ts";
import { TraceList, TraceView } from "./traces.ts";

/** Moves a token from the fragment, `#token=...`, into the tab's storage. */
function takeTokenFromFragment(): void {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  storeToken(token);
  history.replaceState(null, "", "#/");
}

/** Route in the address: `#/queue`, `#/q/<key>`, `#/c/<key>`, `#/traces`, `#/t/<trace id>`, or else the conversations. */
interface Route {
  readonly page: "conversations" | "queue" | "traces";
  /** What is chosen in the list of the page. */
  readonly id: string | undefined;
  /** Filter and order of the queue. */
  readonly query: string;
}

function readRoute(): Route {
  const [, path = "", query = ""] = /^#([^?]*)\??(.*)$/.exec(location.hash) ?? [];
  const traceId = /^\/t\/([\da-f]{32})$/.exec(path)?.[1];
  if (traceId !== undefined || path === "/traces") return { page: "traces", id: traceId, query };
  const item = /^\/q\/([\w-]+)$/.exec(path)?.[1];
  if (item !== undefined || path === "/queue") return { page: "queue", id: item, query };
  return { page: "conversations", id: /^\/c\/([\w-]+)$/.exec(path)?.[1], query };
}

/** Returns the current route, and follows the address. */
function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = (): void => {
      takeTokenFromFragment();
      setRoute(readRoute());
    };
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
}

/** Asks for the token of a platform that needs one. */
function TokenForm({ onToken }: { onToken: () => void }): VNode {
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

/** Shows the platform's counts and whether it still responds. */
function TopBar({ stats, state, page }: TopBarProps): VNode {
  const link = (name: Route["page"], address: string, label: string): VNode =>
    html`<a href=${address} aria-current=${page === name ? "page" : undefined}>${label}</a>`;
  return html`<header class="top">
    <h1>agent-monitor</h1>
    <span class="muted hide-small">local platform</span>
    <nav class="pages" aria-label="Pages">
      ${link("queue", "#/queue", "Queue")} ${link("conversations", "#/", "Conversations")}
      ${
        // To the traces only once there are some.
        stats && stats.spans > 0 && link("traces", "#/traces", "Traces")
      }
    </nav>
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

/** Shows a list beside what is chosen in it; on a phone one of the two. */
function Panes({ noun, list, chosen }: { noun: string; list: VNode; chosen?: VNode }): VNode {
  return html`<main class="panes ${chosen ? "is-open" : ""}">
    ${list}
    <section class="detail" aria-label=${noun}>
      ${chosen ?? html`<p class="empty">Choose a ${noun.toLowerCase()}.</p>`}
    </section>
  </main>`;
}

const CONVERSATIONS = { name: "Conversations", address: "#/" };

/** Shows the queue, and beside it the conversation that is reviewed. */
function QueuePage({ id, query }: Pick<Route, "id" | "query">): VNode {
  const queue = useQueue(query);
  const [me, setMe] = useState<Me>();
  useEffect(() => {
    void loadMe()
      .then(setMe)
      .catch(() => undefined);
  }, []);
  const list = { name: "Queue", address: toQueueAddress(query) };
  const chosen =
    id &&
    html`<div class="review-page" key=${id}>
      <${ConversationView} conversationKey=${id} list=${list} />
      ${me && html`<${ReviewPanel} reviewKey=${id} me=${me} onDone=${queue.refresh} />`}
    </div>`;
  return html`<${Panes}
      noun="Item"
      list=${html`<${QueueList} queue=${queue} query=${query} selected=${id} />`}
      chosen=${chosen}
    />
    <${QueueKeys} items=${queue.items} query=${query} selected=${id} />`;
}

function App(): VNode {
  const { page, id, query } = useRoute();
  const listing = useListing();
  const { state, stats, retry } = listing;
  if (state === "unauthorized") return html`<${TokenForm} onToken=${retry} />`;
  if (page === "queue")
    return html`<${TopBar} stats=${stats} state=${state} page=${page} />
      <${QueuePage} id=${id} query=${query} />`;
  const panes =
    page === "traces"
      ? html`<${Panes}
          noun="Trace"
          list=${html`<${TraceList} selected=${id} />`}
          chosen=${id && html`<${TraceView} key=${id} traceId=${id} />`}
        />`
      : html`<${Panes}
          noun="Conversation"
          list=${html`<${ConversationList} listing=${listing} selected=${id} />`}
          chosen=${id && html`<${ConversationView} key=${id} conversationKey=${id} list=${CONVERSATIONS} />`}
        />`;
  return html`<${TopBar} stats=${stats} state=${state} page=${page} /> ${panes}`;
}

takeTokenFromFragment();
const root = document.querySelector<HTMLElement>("#app");
if (root) {
  root.replaceChildren();
  render(html`<${App} />`, root);
}
