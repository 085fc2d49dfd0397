import { html } from "htm/preact";
import type { VNode } from "preact";
import { countNoun } from "../../util/count-noun.ts";
import type { ConversationRow } from "../store/conversation-store.ts";
import { ANY_CONVERSATION, type Filter } from "./api.ts";
import { ReviewBadge, SeverityBadge } from "./finding.ts";
import { describeEnvironments, describeVersions, formatLocal, formatWhen } from "./format.ts";

const FINDINGS: readonly { value: Filter["findings"]; label: string }[] = [
  { value: "all", label: "All" },
  { value: "review", label: "To review" },
  { value: "warning", label: "◆ Warnings up" },
  { value: "violation", label: "▲ Violations" },
];

const ENVIRONMENTS: readonly { value: Filter["environment"]; label: string }[] = [
  { value: "any", label: "All environments" },
  { value: "production", label: "Production" },
  { value: "staging", label: "Staging" },
  { value: "development", label: "Development" },
];

function Filters({ filter, onFilter }: Pick<ListProps, "filter" | "onFilter">): VNode {
  const choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    const chosen = ENVIRONMENTS.find((environment) => environment.value === value);
    onFilter({ ...filter, environment: chosen?.value ?? "any" });
  };
  return html`<div class="filters" role="group" aria-label="Filter">
    ${FINDINGS.map(
      ({ value, label }) =>
        html`<button
          key=${value}
          type="button"
          aria-pressed=${filter.findings === value ? "true" : "false"}
          onClick=${() => onFilter({ ...filter, findings: value })}
        >
          ${label}
        </button>`,
    )}
    <select aria-label="Environment" value=${filter.environment} onChange=${choose}>
      ${ENVIRONMENTS.map(({ value, label }) => html`<option key=${value} value=${value}>${label}</option>`)}
    </select>
  </div>`;
}

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
  const size = countNoun(row.eventCount, "event");
  return row.maxRiskScore === null ? size : `${size} · risk ${Math.round(row.maxRiskScore)}`;
}

function Entry({ row, isSelected }: { row: ConversationRow; isSelected: boolean }): VNode {
  return html`<li>
    <a href="#/c/${row.key}" aria-current=${isSelected ? "true" : undefined}>
      <span class="line">
        <span class="title">${row.title ?? "(no user message)"}</span>
        <time title=${formatLocal(row.lastAt)}>${formatWhen(row.lastAt, Date.now())}</time>
      </span>
      <span class="line muted">
        <span class="ellipsis">${row.agentName ?? row.agentId}</span>
        <span class="nowrap">${describeSize(row)}</span>
      </span>
      <span class="line muted">
        <span class="ellipsis">${describeVersions(row)} · ${describeEnvironments(row)}</span>
      </span>
      ${
        (row.findingCount > 0 || row.requiresReview) &&
        html`<span class="line badges">
          <${SeverityBadge} severity=${row.maxSeverity} />
          ${row.findingCount > 1 && html`<span class="muted">${countNoun(row.findingCount, "finding")}</span>`}
          ${row.requiresReview && html`<${ReviewBadge} />`}
        </span>`
      }
    </a>
  </li>`;
}

function EmptyList({ filter }: { filter: Filter }): VNode {
  if (filter.findings !== ANY_CONVERSATION.findings || filter.environment !== "any")
    return html`<p class="empty">No conversation matches this filter.</p>`;
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
    <${Filters} filter=${filter} onFilter=${onFilter} />
    <div class="scroll">
      ${isLoaded && conversations.length === 0 && html`<${EmptyList} filter=${filter} />`}
      <ul>
        ${conversations.map((row) => html`<${Entry} key=${row.key} row=${row} isSelected=${row.key === selected} />`)}
      </ul>
      ${onMore && html`<button type="button" class="more" onClick=${onMore}>Show older</button>`}
    </div>
  </nav>`;
}
