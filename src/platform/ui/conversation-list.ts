/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { countNoun } from "../../util/count-noun.ts";
import type { ConversationRow } from "../store/conversation-store.ts";
import { ANY_CONVERSATION, type Filter, loadConversations, usePolling } from "./api.ts";
import { ReviewBadge, SeverityBadge } from "./finding.ts";
import { describeEnvironments, describeVersions, formatLocal, formatWhen } from "./format.ts";

interface Pages {
  readonly newest: readonly ConversationRow[];
  /** Pages that the reader asked for; the newest page is the only one that is polled. */
  readonly older: readonly ConversationRow[];
  readonly next: string | null;
}

const NOTHING: Pages = { newest: [], older: [], next: null };

function merge({ newest, older }: Pages): ConversationRow[] {
  const rows = new Map([...older, ...newest].map((row) => [row.key, row]));
  return [...rows.values()].toSorted((left, right) => right.lastAt - left.lastAt);
}

/** Loads the list of conversations and keeps it up to date. */
function useListing() {
  const [isLoading, setLoading] = useState(true);
  const [filter, setFilter] = useState<Filter>(ANY_CONVERSATION);
  const [pages, setPages] = useState(NOTHING);

  usePolling(
    async (isCurrent) => {
      // When the platform does not respond, the bar at the top shows it.
      const page = await loadConversations(filter).catch(() => undefined);
      if (!page || !isCurrent()) return;
      setPages((old) => ({
        newest: page.conversations,
        older: old.older,
        next: old.older.length > 0 ? old.next : page.next,
      }));
      setLoading(false);
    },
    [filter],
  );

  const showOlder = async (before: string): Promise<void> => {
    const page = await loadConversations(filter, before);
    setPages((old) => ({ ...old, older: [...old.older, ...page.conversations], next: page.next }));
  };
  const { next } = pages;
  return {
    isLoading,
    conversations: merge(pages),
    filter,
    setFilter: (chosen: Filter): void => {
      setFilter(chosen);
      setPages(NOTHING);
      setLoading(true);
    },
    /** Loads older conversations; absent when there are none. */
    showOlder: next === null ? undefined : () => void showOlder(next).catch(() => undefined),
  };
}

/** The list of conversations as the page shows it. */
type Listing = ReturnType<typeof useListing>;

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

function Filters({ filter, setFilter }: Pick<Listing, "filter" | "setFilter">): VNode {
  const choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    const chosen = ENVIRONMENTS.find((environment) => environment.value === value);
    setFilter({ ...filter, environment: chosen?.value ?? "any" });
  };
  return html`<div class="filters" role="group" aria-label="Filter">
    ${FINDINGS.map(
      ({ value, label }) =>
        html`<button
          key=${value}
          type="button"
          aria-pressed=${filter.findings === value ? "true" : "false"}
          onClick=${() => setFilter({ ...filter, findings: value })}
        >
          ${label}
        </button>`,
    )}
    <select aria-label="Environment" value=${filter.environment} onChange=${choose}>
      ${ENVIRONMENTS.map(({ value, label }) => html`<option key=${value} value=${value}>${label}</option>`)}
    </select>
  </div>`;
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

/** Shows the conversations, newest first; `selected` is the key of the open one. */
export function ConversationList({ selected }: { selected: string }): VNode {
  const { conversations, filter, isLoading, setFilter, showOlder } = useListing();
  return html`<nav class="list" aria-label="Conversations">
    <${Filters} filter=${filter} setFilter=${setFilter} />
    <div class="scroll">
      ${!isLoading && conversations.length === 0 && html`<${EmptyList} filter=${filter} />`}
      <ul>
        ${conversations.map((row) => html`<${Entry} key=${row.key} row=${row} isSelected=${row.key === selected} />`)}
      </ul>
      ${showOlder && html`<button type="button" class="more" onClick=${showOlder}>Show older</button>`}
    </div>
  </nav>`;
}
