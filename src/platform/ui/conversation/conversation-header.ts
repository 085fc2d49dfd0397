import { html } from "htm/preact";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import { describeTotals } from "./answer-facts.ts";
import type { ConversationDetail } from "./conversation-api.ts";
import { ReviewBadge, SeverityBadge } from "../finding/finding.ts";
import {
  describeEnvironments,
  describeKind,
  describeVersions,
  formatDateTime,
  formatDuration,
} from "../parts/format.ts";
import { SendToReview } from "../review/send-to-review.ts";
import type { TranscriptItem } from "./transcript.ts";
import { UnmaskButton } from "./unmask.ts";

/** The list from which a conversation was opened. */
export interface ListLink {
  readonly name: string;
  readonly address: string;
}

function describeFacts({ conversation, events }: ConversationDetail): string {
  const userId = events.find((event) => event.userId !== undefined)?.userId;
  const kind = describeKind(conversation);
  return [
    `${conversation.agentName ?? conversation.agentId}, ${describeVersions(conversation)}`,
    ...(kind === undefined ? [] : [kind]),
    describeEnvironments(conversation),
    ...(userId === undefined ? [] : [`user ${userId}`]),
    `${formatDateTime(conversation.startedAt)} UTC`,
  ].join(" · ");
}

function describeSize({ conversation, next, events }: ConversationDetail, totals: string): string {
  const part = `of the first ${countNoun(events.length, "event")}: ${totals}`;
  return [
    formatDuration(conversation.lastAt - conversation.startedAt),
    countNoun(conversation.eventCount, "event"),
    next === null ? totals : part,
  ].join(" · ");
}

function TraceLinks({ traces }: { traces: readonly string[] }): VNode | null {
  const shown = traces.slice(0, 3);
  if (shown.length === 0) return null;
  return html` ·
  ${shown.map(
    (traceId, index) =>
      html` <a key=${traceId} href="#/t/${traceId}"
        >${index === 0 ? "trace" : `trace ${index + 1}`}</a
      >`,
  )}
  ${traces.length > shown.length && html` and ${countNoun(traces.length - shown.length, "more")}`}`;
}

interface HeaderProps {
  readonly detail: ConversationDetail;
  readonly items: readonly TranscriptItem[];
  readonly list: ListLink;
  /** Whether it can be put into the review queue here. */
  readonly canSend: boolean;
  readonly isText: boolean;
  readonly onText: () => void;
  readonly onNext: () => void;
  readonly onPrevious: () => void;
  readonly onUnmask: (isUnmasked: boolean) => void;
}

function Buttons(props: HeaderProps): VNode {
  const { detail, canSend, isText, onText, onNext, onPrevious, onUnmask } = props;
  const { key, findingCount } = detail.conversation;
  return html`<div class="end header-buttons">
    ${canSend && html`<${SendToReview} conversationKey=${key} item=${detail.item} />`}
    <button type="button" aria-pressed=${isText ? "true" : "false"} onClick=${onText}>
      As text
    </button>
    <${UnmaskButton} conversationKey=${key} isUnmasked=${detail.isUnmasked} onChange=${onUnmask} />
    ${
      findingCount > 0 &&
      html`<button
          type="button"
          data-action="previous-finding"
          aria-label="Previous finding"
          aria-keyshortcuts="p"
          title="Previous finding (p)"
          onClick=${onPrevious}
        >
          ↑
        </button>
        <button
          type="button"
          data-action="next-finding"
          aria-keyshortcuts="n"
          title="Next finding (n)"
          onClick=${onNext}
        >
          Next finding (${findingCount})
        </button>`
    }
  </div>`;
}

/** Shows what a conversation is, in numbers too, and the buttons that go through it. */
export function ConversationHeader(props: HeaderProps): VNode {
  const { detail, items, list } = props;
  const { conversation } = detail;
  // The page is drawn anew with each some rows.
  const totals = useMemo(() => describeTotals(items), [items]);
  return html`<header class="conversation-header">
    <a class="back" href=${list.address}>← ${list.name}</a>
    <h2>${conversation.title ?? "(no user message)"}</h2>
    <p class="muted">${describeFacts(detail)}</p>
    <p class="muted">
      ${describeSize(detail, totals)}<${TraceLinks} traces=${conversation.traces} />
    </p>
    <p class="muted ids">
      ${conversation.organizationId} / ${conversation.agentId} / ${conversation.conversationId}
    </p>
    <div class="line badges">
      <${SeverityBadge} severity=${conversation.maxSeverity} />
      ${conversation.requiresReview && html`<${ReviewBadge} />`}
      ${conversation.maxRiskScore !== null && html`<span class="muted">risk ${Math.round(conversation.maxRiskScore)} of 100</span>`}
      <${Buttons} ...${props} />
    </div>
  </header>`;
}
