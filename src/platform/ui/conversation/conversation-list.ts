/// <reference lib="dom" />
import { html } from "htm/preact";
import { Component, type RefObject, type VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { ConversationRow } from "../../store/conversation-store.ts";
import type { MessageHit } from "../../store/message-search.ts";
import { Filters } from "./filters.ts";
import { toListAddress } from "./list-address.ts";
import { ReviewBadge, SeverityBadge } from "../finding/finding.ts";
import {
  describeEnvironments,
  describeVersions,
  formatLocal,
  formatWhen,
} from "../parts/format.ts";
import { usePrinting } from "../parts/use-printing.ts";
import { Space, useWindow } from "../parts/use-window.ts";
import { type Listing, useListing } from "./use-listing.ts";

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
  return html`<li data-row=${row.key}>
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

/** Milliseconds that a conversation has to be there before its list. */
const LIST_DELAY = 100;

/** The filter and order of the list, and the key of the conversation that is open. */
interface ListProps {
  readonly query: string;
  readonly selected: string;
}

interface RowsProps extends ListProps {
  readonly listing: Listing;
  readonly pane: RefObject<HTMLElement | null>;
}

/** Shows the rows near what is looked at: drawn anew as the pane is scrolled, without the filters. */
function Rows({ listing, pane, query, selected }: RowsProps): VNode {
  const { conversations, next, hasFailed, showOlder } = listing;
  const isPrinting = usePrinting();
  const { first, end, before, after, isScrolled, isNearEnd } = useWindow(
    pane,
    conversations,
    isPrinting,
  );
  useEffect(() => {
    if (isNearEnd) showOlder?.();
  }, [isNearEnd, next]);
  const isPart = before > 0 || after > 0;
  // Who scrolls has no use for a button that moves away, unless nothing more has come.
  const look = isScrolled && !hasFailed ? "more is-coming" : "more";
  return html`<ul class=${isPart ? "window" : undefined}>
      <${Space} key="before" height=${before} />
      ${conversations
        .slice(first, end)
        .map(
          (row) =>
            html`<${Entry}
              key=${row.key}
              row=${row}
              query=${query}
              isSelected=${row.key === selected}
              when=${formatWhen(row.lastAt, Date.now())}
            />`,
        )}
      <${Space} key="after" height=${after} />
    </ul>
    ${showOlder && html`<button type="button" class=${look} onClick=${showOlder}>Show older</button>`}`;
}

/** Shows the conversations of a filter, and loads older ones as it is scrolled. */
export function ConversationList({ query, selected }: ListProps): VNode {
  const listing = useListing(query, selected === "" ? 0 : LIST_DELAY);
  const { conversations, isLoading, problem } = listing;
  const pane = useRef<HTMLDivElement>(null);
  return html`<nav class="list" aria-label="Conversations">
    <${Filters} query=${query} isListed=${!isLoading} />
    <div class="scroll" ref=${pane} tabindex="-1">
      ${problem !== undefined && html`<p class="empty failed" role="alert">${problem}</p>`}
      ${isLoading && problem === undefined && html`<p class="empty" aria-busy="true">Loading…</p>`}
      ${!isLoading && conversations.length === 0 && html`<${EmptyList} query=${query} />`}
      <${Rows} listing=${listing} pane=${pane} query=${query} selected=${selected} />
    </div>
  </nav>`;
}
