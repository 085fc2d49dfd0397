import { html } from "htm/preact";
import type { VNode } from "preact";
import { ConversationList } from "./conversation-list.ts";
import { ConversationView } from "./conversation-view.ts";
import { takeFinding } from "./finding-address.ts";
import { Panes } from "./panes.ts";
import type { Route } from "./route.ts";

const LIST = { name: "Conversations", address: "#/" };

/** Shows the conversations, and beside them the one that is chosen. */
export function ConversationPage({ id, query }: Pick<Route, "id" | "query">): VNode {
  const chosen =
    id !== "" &&
    html`<${ConversationView}
      key=${id}
      conversationKey=${id}
      list=${LIST}
      page=${`#/c/${id}`}
      finding=${takeFinding(query).finding}
      hasReview
    />`;
  return html`<${Panes}
    noun="Conversation"
    list=${html`<${ConversationList} selected=${id} />`}
    chosen=${chosen}
  />`;
}
