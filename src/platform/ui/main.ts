/// <reference lib="dom" />
import { html, render } from "htm/preact";
import type { VNode } from "preact";
import { ConversationList } from "./conversation-list.ts";
import { ConversationView } from "./conversation-view.ts";
import { takeTokenFromFragment, useRoute } from "./route.ts";
import { TokenForm, TopBar } from "./top-bar.ts";
import { TraceList, TraceView } from "./traces.ts";
import { useListing, type Listing } from "./use-listing.ts";

function Traces({ traceId }: { traceId: string | undefined }): VNode {
  return html`<main class="panes ${traceId === undefined ? "" : "is-open"}">
    <${TraceList} selected=${traceId} />
    <section class="detail" aria-label="Trace">
      ${
        traceId === undefined
          ? html`<p class="empty">Choose a trace.</p>`
          : html`<${TraceView} key=${traceId} traceId=${traceId} />`
      }
    </section>
  </main>`;
}

interface ConversationsProps {
  readonly listing: Listing;
  /** The conversation that is open. */
  readonly selected: string | undefined;
}

function Conversations({ listing, selected: key }: ConversationsProps): VNode {
  const { state, conversations, filter, setFilter, showOlder } = listing;
  return html`<main class="panes ${key === undefined ? "" : "is-open"}">
    <${ConversationList}
      conversations=${conversations}
      selected=${key}
      filter=${filter}
      isLoaded=${state === "ready"}
      onFilter=${setFilter}
      onMore=${showOlder}
    />
    <section class="detail" aria-label="Conversation">
      ${
        key === undefined
          ? html`<p class="empty">Choose a conversation.</p>`
          : html`<${ConversationView} key=${key} conversationKey=${key} />`
      }
    </section>
  </main>`;
}

function App(): VNode {
  const route = useRoute();
  const listing = useListing();
  const { state, stats, retry } = listing;
  if (state === "unauthorized") return html`<${TokenForm} onToken=${retry} />`;
  return html`<${TopBar} stats=${stats} state=${state} page=${route.page} /> ${
      route.page === "traces"
        ? html`<${Traces} traceId=${route.traceId} />`
        : html`<${Conversations} listing=${listing} selected=${route.key} />`
    }`;
}

takeTokenFromFragment();
const root = document.querySelector<HTMLElement>("#app");
if (root) {
  root.replaceChildren();
  render(html`<${App} />`, root);
}
