import { html } from "htm/preact";
import type { VNode } from "preact";
import type { ConversationRow } from "../store/conversation-store.ts";
import type { Filter } from "./api.ts";
import { formatCount, formatLocal, formatWhen } from "./format.ts";
import { ReviewBadge, SeverityBadge } from "./severity.ts";

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "review", label: "To review" },
  { value: "warning", label: "◆ Warnings up" },
  { value: "violation", label: "▲ Violations" },
];

interface ListProps {
  readonly conversations: readonly ConversationRow[];
  readonly selected: string | undefined;
  readonly filter: Filter;
  readonly isLoaded: boolean;
  readonly onFilter: (filter: Filter) => void;
  /** Loads older conversations; absent when there are none. */
  readonly onMore: (() => void) | undefined;
}

function describeSize(row: ConversationRow): string {
  const size = formatCount(row.eventCount, "event");
  return row.maxRiskScore === null ? size : `${size} · risk ${Math.round(row.maxRiskScore)}`;
}

function Entry({ row, isSelected }: { row: ConversationRow; isSelected: boolean }): VNode {
  const version = row.agentVersion === null ? "" : ` ${row.agentVersion}`;
  return html`<li>
    <a href="#/c/${row.key}" aria-current=${isSelected ? "true" : undefined}>
      <span class="line">
        <span class="title">${row.title ?? "(no user message)"}</span>
        <time title=${formatLocal(row.lastAt)}>${formatWhen(row.lastAt, Date.now())}</time>
      </span>
      <span class="line muted">
        <span class="ellipsis">${row.agentName ?? row.agentId}${version}</span>
        <span class="nowrap">${describeSize(row)}</span>
      </span>
      ${
        (row.findingCount > 0 || row.requiresReview) &&
        html`<span class="line badges">
          <${SeverityBadge} severity=${row.maxSeverity} />
          ${row.findingCount > 1 && html`<span class="muted">${formatCount(row.findingCount, "finding")}</span>`}
          ${row.requiresReview && html`<${ReviewBadge} />`}
        </span>`
      }
    </a>
  </li>`;
}

function EmptyList({ filter }: { filter: Filter }): VNode {
  if (filter !== "all") return html`<p class="empty">No conversation matches this filter.</p>`;
  return html`<div class="empty">
    <p>No conversations yet.</p>
    <p>Point the SDK here and they appear by themselves:</p>
    <pre tabindex="0">${`AGENT_MONITOR_ENDPOINT=${location.origin}`}</pre>
  </div>`;
}

/** Shows the conversations, newest first. */
export function ConversationList(props: ListProps): VNode {
  const { conversations, selected, filter, isLoaded, onFilter, onMore } = props;
  return html`<nav class="list" aria-label="Conversations">
    <div class="filters" role="group" aria-label="Filter">
      ${FILTERS.map(
        ({ value, label }) =>
          html`<button
            key=${value}
            type="button"
            aria-pressed=${filter === value ? "true" : "false"}
            onClick=${() => onFilter(value)}
          >
            ${label}
          </button>`,
      )}
    </div>
    <div class="scroll">
      ${isLoaded && conversations.length === 0 && html`<${EmptyList} filter=${filter} />`}
      <ul>
        ${conversations.map((row) => html`<${Entry} key=${row.key} row=${row} isSelected=${row.key === selected} />`)}
      </ul>
      ${onMore && html`<button type="button" class="more" onClick=${onMore}>Show older</button>`}
    </div>
  </nav>`;
}
