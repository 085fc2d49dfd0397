import { html } from "htm/preact";
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { countNoun } from "../../util/count-noun.ts";
import { loadConversation, loadEventCount, type ConversationDetail, useDetail } from "./api.ts";
import { ReviewBadge, SeverityBadge } from "./finding.ts";
import {
  describeEnvironments,
  describeKind,
  describeVersions,
  formatDateTime,
  formatDuration,
  hasVersions,
} from "./format.ts";
import { Placeholder } from "./placeholder.ts";
import { Item } from "./transcript-item.ts";
import { toTranscript } from "./transcript.ts";

const FIRST_EVENTS = 500;
const MORE_EVENTS = 1000;

/** Moves to the next finding after the last visited one, and from the last back to the first. */
function visitNextFinding(pane: HTMLElement | null): void {
  const findings = [...(pane?.querySelectorAll<HTMLElement>("[data-finding]") ?? [])];
  const current = findings.findIndex((finding) => finding === document.activeElement);
  const next = findings[(current + 1) % findings.length];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "center" });
}

interface HeaderProps {
  readonly detail: ConversationDetail;
  readonly list: ListLink;
  readonly onNext: () => void;
}

function Header({ detail, list, onNext }: HeaderProps): VNode {
  const { conversation } = detail;
  const userId = detail.events.find((event) => event.userId !== undefined)?.userId;
  const kind = describeKind(conversation);
  const facts = [
    `${conversation.agentName ?? conversation.agentId}, ${describeVersions(conversation)}`,
    ...(kind === undefined ? [] : [kind]),
    describeEnvironments(conversation),
    ...(userId === undefined ? [] : [`user ${userId}`]),
    `${formatDateTime(conversation.startedAt)} UTC`,
    formatDuration(conversation.lastAt - conversation.startedAt),
    countNoun(conversation.eventCount, "event"),
  ];
  return html`<header class="conversation-header">
    <a class="back" href=${list.address}>← ${list.name}</a>
    <h2>${conversation.title ?? "(no user message)"}</h2>
    <p class="muted">${facts.join(" · ")}</p>
    <p class="muted ids">
      ${conversation.organizationId} / ${conversation.agentId} / ${conversation.conversationId}
    </p>
    <div class="line badges">
      <${SeverityBadge} severity=${conversation.maxSeverity} />
      ${conversation.requiresReview && html`<${ReviewBadge} />`}
      ${conversation.maxRiskScore !== null && html`<span class="muted">risk ${Math.round(conversation.maxRiskScore)} of 100</span>`}
      ${
        conversation.findingCount > 0 &&
        html`<button type="button" class="end" data-action="next-finding" onClick=${onNext}>
          Next finding (${conversation.findingCount})
        </button>`
      }
    </div>
  </header>`;
}

/** The list from which a conversation was opened. */
interface ListLink {
  readonly name: string;
  readonly address: string;
}

interface ConversationProps {
  readonly conversationKey: string;
  readonly list: ListLink;
}

/** Shows one conversation as a transcript and follows it as it grows. */
export function ConversationView({ conversationKey, list }: ConversationProps): VNode {
  const [wanted, setWanted] = useState(FIRST_EVENTS);
  const pane = useRef<HTMLDivElement>(null);
  const load = async (old: ConversationDetail | undefined): Promise<ConversationDetail> => {
    const count = await loadEventCount(conversationKey);
    const isShown = old !== undefined && (old.next === null || old.events.length >= wanted);
    if (isShown && old.conversation.eventCount === count) return old;
    return loadConversation(conversationKey, wanted);
  };
  const detail = useDetail(load, [conversationKey, wanted]);
  if (detail === "missing" || !detail)
    return html`<${Placeholder} state=${detail} noun="conversation" list=${list.address} />`;
  const agent = {
    name: detail.conversation.agentName ?? detail.conversation.agentId,
    isVersionShown: hasVersions(detail.conversation),
  };
  return html`<div class="conversation">
    <${Header} detail=${detail} list=${list} onNext=${() => visitNextFinding(pane.current)} />
    <div
      class="scroll transcript"
      ref=${pane}
      tabindex="0"
      role="region"
      aria-label="Transcript, times in UTC"
    >
      ${toTranscript(detail.events).map((item) => html`<${Item} key=${item.key} item=${item} agent=${agent} />`)}
      ${
        detail.next !== null &&
        html`<button type="button" class="more" onClick=${() => setWanted(wanted + MORE_EVENTS)}>
          Show more events (${detail.events.length} of ${detail.conversation.eventCount})
        </button>`
      }
    </div>
  </div>`;
}
