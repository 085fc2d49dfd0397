/// <reference lib="dom" />
import { html, render } from "htm/preact";
import type { VNode } from "preact";
import { ConversationList } from "./conversation-list.ts";
import { ConversationView } from "./conversation-view.ts";
import { takeTokenFromFragment, useConversationKey } from "./route.ts";
import { TokenForm } from "./token-form.ts";
import { TopBar } from "./top-bar.ts";
import { useListing } from "./use-listing.ts";

function App(): VNode {
  const key = useConversationKey();
  const { state, stats, conversations, filter, setFilter, showOlder, retry } = useListing();
  if (state === "unauthorized") return html`<${TokenForm} onToken=${retry} />`;
  return html`<${TopBar} stats=${stats} state=${state} />
    <main class="panes ${key === undefined ? "" : "is-open"}">
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

takeTokenFromFragment();
const root = document.querySelector<HTMLElement>("#app");
if (root) {
  root.replaceChildren();
  render(html`<${App} />`, root);
}
