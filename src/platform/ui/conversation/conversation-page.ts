import { html } from "htm/preact";
import type { VNode } from "preact";
import { ConversationList } from "./conversation-list.ts";
import { ConversationView } from "./conversation-view.ts";
import { toListAddress } from "./list-address.ts";
import { takeFinding } from "../finding/finding-address.ts";
import { Panes } from "../parts/panes.ts";
import type { Route } from "../route.ts";

/** Shows the conversations, and beside them the one that is chosen. */
export function ConversationPage({ id, query: given }: Pick<Route, "id" | "query">): VNode {
  const { finding, rest: query } = takeFinding(given);
  const chosen =
    id !== "" &&
    html`<${ConversationView}
      key=${id}
      conversationKey=${id}
      list=${{ name: "Conversations", address: toListAddress(query) }}
      page=${toListAddress(query, id)}
      finding=${finding}
      hasReview
    />`;
  return html`<${Panes}
    noun="Conversation"
    list=${html`<${ConversationList} query=${query} selected=${id} />`}
    chosen=${chosen}
  />`;
}
