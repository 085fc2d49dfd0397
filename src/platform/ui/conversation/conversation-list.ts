/// <reference lib="dom" />
import { html } from "htm/preact";
import { Component, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { ConversationRow } from "../../store/conversation-store.ts";
import type { MessageHit } from "../../store/message-search.ts";
import { ApiError, loadConversations, usePolling } from "../api.ts";
import { Filters, toListAddress } from "./filters.ts";
import { ReviewBadge, SeverityBadge } from "../finding/finding.ts";
import {
  describeEnvironments,
  describeVersions,
  formatLocal,
  formatWhen,
} from "../parts/format.ts";

interface Pages {
  readonly newest: readonly ConversationRow[];
  /** Pages that the reader asked for; the newest page is the only one that is polled. */
  readonly older: readonly ConversationRow[];
  readonly next: string | null;
}

const NOTHING: Pages = { newest: [], older: [], next: null };

/** Each conversation once: one may have moved from a later page to the first. */
function merge({ newest, older }: Pages): ConversationRow[] {
  const isFirst = new Set(newest.map(({ key }) => key));
  return [...newest, ...older.filter(({ key }) => !isFirst.has(key))];
}

/** Returns what was loaded now, with the rows of before where they say the same. */
function keepSame(
  before: readonly ConversationRow[],
  loaded: readonly ConversationRow[],
): ConversationRow[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return loaded.map((row) => {
    const former = known.get(row.key);
    return former && JSON.stringify(former) === JSON.stringify(row) ? former : row;
  });
}

/** Loads the list of conversations and keeps it up to date. */
function useListing(query: string) {
  const [pages, setPages] = useState<Pages>();
  const [problem, setProblem] = useState<string>();
  const fail = (error: unknown): void =>
    setProblem(error instanceof ApiError ? error.message : undefined);

  usePolling(
    async (isCurrent) => {
      // When the platform does not respond, the bar at the top shows it.
      const page = await loadConversations(query).catch((error: unknown) => {
        if (isCurrent()) fail(error);
      });
      if (!page || !isCurrent()) return;
      setProblem(undefined);
      setPages((old = NOTHING) => ({
        newest: keepSame(old.newest, page.conversations),
        older: old.older,
        next: old.older.length > 0 ? old.next : page.next,
      }));
    },
    [query],
  );
  useEffect(() => {
    setPages(undefined);
    setProblem(undefined);
  }, [query]);

  const showOlder = async (before: string): Promise<void> => {
    const page = await loadConversations(query, before);
    setPages((old = NOTHING) => ({
      ...old,
      older: [...old.older, ...page.conversations],
      next: page.next,
    }));
  };
  const { next } = pages ?? NOTHING;
  return {
    isLoading: pages === undefined,
    /** What the platform says against the filter. */
    problem,
    conversations: merge(pages ?? NOTHING),
    /** Loads older conversations; absent when there are none. */
    showOlder: next === null ? undefined : () => void showOlder(next).catch(fail),
  };
}

function describeSize(row: ConversationRow): string {
  const size = countNoun(row.eventCount, "event");
  return row.maxRiskScore === null ? size : `${size} · risk ${Math.round(row.maxRiskScore)}`;
}

/** Shows the place of a message where the searched words stand. */
function Hit({ hit }: { hit: MessageHit }): VNode {
  const parts: (string | VNode)[] = [];
  let from = 0;
  for (const [start, end] of hit.matches) {
    parts.push(hit.text.slice(from, start), html`<mark>${hit.text.slice(start, end)}</mark>`);
    from = end;
  }
  return html`<span class="hit">${parts}${hit.text.slice(from)}</span>`;
}

interface EntryProps {
  readonly row: ConversationRow;
  readonly query: string;
  readonly isSelected: boolean;
  /** Time of its last event, as it is shown now. */
  readonly when: string;
}

function ShownEntry({ row, query, isSelected, when }: EntryProps): VNode {
  return html`<li>
    <a href=${toListAddress(query, row.key)} aria-current=${isSelected ? "true" : undefined}>
      <span class="line">
        <span class="title">${row.title ?? "(no user message)"}</span>
        <time title=${formatLocal(row.lastAt)}>${when}</time>
      </span>
      <span class="line muted">
        <span class="ellipsis">${row.agentName ?? row.agentId}</span>
        <span class="nowrap">${describeSize(row)}</span>
      </span>
      <span class="line muted">
        <span class="ellipsis">${describeVersions(row)} · ${describeEnvironments(row)}</span>
      </span>
      ${row.hit && html`<${Hit} hit=${row.hit} />`}
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

/** Leaves an entry as it is until something of it changes: the list is read anew every two seconds. */
class Entry extends Component<EntryProps> {
  override shouldComponentUpdate({ row, query, isSelected, when }: EntryProps): boolean {
    const now = this.props;
    return (
      row !== now.row || query !== now.query || isSelected !== now.isSelected || when !== now.when
    );
  }

  override render(props: EntryProps): VNode {
    return html`<${ShownEntry} ...${props} />`;
  }
}

function EmptyList({ query }: { query: string }): VNode {
  if (query !== "") return html`<p class="empty">No conversation matches this filter.</p>`;
  return html`<div class="empty">
    <p>No conversations yet.</p>
    <p>Point the SDK here and they appear by themselves:</p>
    <pre tabindex="0">${`AGENT_MONITOR_ENDPOINT=${location.origin}`}</pre>
  </div>`;
}

/** The filter and order of the list, and the key of the conversation that is open. */
interface ListProps {
  readonly query: string;
  readonly selected: string;
}

/** Shows the conversations of a filter. */
export function ConversationList({ query, selected }: ListProps): VNode {
  const { conversations, isLoading, problem, showOlder } = useListing(query);
  return html`<nav class="list" aria-label="Conversations">
    <${Filters} query=${query} />
    <div class="scroll">
      ${problem !== undefined && html`<p class="empty failed" role="alert">${problem}</p>`}
      ${isLoading && problem === undefined && html`<p class="empty" aria-busy="true">Loading…</p>`}
      ${!isLoading && conversations.length === 0 && html`<${EmptyList} query=${query} />`}
      <ul>
        ${conversations.map(
          (row) =>
            html`<${Entry}
              key=${row.key}
              row=${row}
              query=${query}
              isSelected=${row.key === selected}
              when=${formatWhen(row.lastAt, Date.now())}
            />`,
        )}
      </ul>
      ${showOlder && html`<button type="button" class="more" onClick=${showOlder}>Show older</button>`}
    </div>
  </nav>`;
}
