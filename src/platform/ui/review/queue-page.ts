import { html } from "htm/preact";
import type { VNode } from "preact";
import { ConversationView } from "../conversation/conversation-view.ts";
import { takeFinding } from "../finding/finding-address.ts";
import { Panes } from "../parts/panes.ts";
import { QueueKeys } from "./queue-keys.ts";
import { QueueList, toQueueAddress } from "./queue.ts";
import { ReviewPanel } from "./review-panel.ts";
import type { Route } from "../route.ts";
import { useMe } from "../parts/use-me.ts";
import { useQueue } from "./use-queue.ts";

/** Shows the queue, and beside it the conversation that is reviewed. */
export function QueuePage({ id, query: given }: Pick<Route, "id" | "query">): VNode {
  const { finding, rest: query } = takeFinding(given);
  const queue = useQueue(query);
  const me = useMe();
  const list = { name: "Queue", address: toQueueAddress(query) };
  const page = toQueueAddress(query, id);
  const chosen =
    id !== "" &&
    html`<div class="review-page" key=${id}>
      <${ConversationView} conversationKey=${id} list=${list} page=${page} finding=${finding} />
      ${me && html`<${ReviewPanel} reviewKey=${id} me=${me} page=${page} onDone=${queue.refresh} />`}
    </div>`;
  return html`<${Panes}
      noun="Item"
      list=${html`<${QueueList} queue=${queue} query=${query} selected=${id} />`}
      chosen=${chosen}
    />
    <${QueueKeys} items=${queue.items} query=${query} selected=${id} />`;
}
