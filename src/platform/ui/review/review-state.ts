import { html } from "htm/preact";
import type { VNode } from "preact";
import type { ShownItem } from "../../store/review-queue.ts";
import type { Findings } from "../conversation/conversation-api.ts";
import { formatDateTime } from "../parts/format.ts";
import { describeState, toQueueAddress } from "./queue.ts";
import { FindingList, History } from "./review-panel.ts";
import { useMe } from "../parts/use-me.ts";

interface ReviewStateProps {
  readonly detail: Findings;
  readonly item: ShownItem;
  /** Address of the page. */
  readonly page: string;
}

/** Shows what was decided about a conversation, and what else was done; the queue is where to do something. */
export function ReviewState({ detail, item, page }: ReviewStateProps): VNode {
  const me = useMe();
  return html`<aside class="review-panel scroll" aria-label="Review" tabindex="0">
    <p class="line">
      <span class="badge review" data-state>${describeState(item)}</span>
      <span class="end ${item.isOverdue ? "failed" : "muted"}"
        >due ${formatDateTime(item.dueAt)}</span
      >
    </p>
    <p><a href=${toQueueAddress("", item.key)}>Open in the queue</a></p>
    <${FindingList} findings=${detail.findings} page=${page} agentId=${item.agentId} me=${me} />
    <${History} records=${detail.history} />
  </aside>`;
}
