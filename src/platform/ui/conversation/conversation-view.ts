/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { ConversationDetail } from "./conversation-api.ts";
import { ConversationHeader, type ListLink } from "./conversation-header.ts";
import { hasVersions } from "../parts/format.ts";
import type { Shown } from "./message-row.ts";
import { Placeholder } from "../parts/placeholder.ts";
import { ReviewState } from "../review/review-state.ts";
import { gatherFindings } from "../finding/shown-findings.ts";
import { Item } from "./transcript-item.ts";
import { toTranscript, type TranscriptItem } from "./transcript.ts";
import { useConversation } from "./use-conversation.ts";
import { useGradual } from "./use-gradual.ts";
import { useNewest } from "../parts/use-newest.ts";
import { usePrinting } from "../parts/use-printing.ts";
import { useVisits } from "./use-visits.ts";

/** Events of the first picture: their answer takes the platform a tenth of the time of a thousand. */
const FIRST_EVENTS = 60;
/** Events that are loaded behind them, and again with each wish for more. */
const PAGE_EVENTS = 1000;

interface ConversationProps {
  readonly conversationKey: string;
  readonly list: ListLink;
  /** Address of this page, without the finding. */
  readonly page: string;
  /** Id of the finding that the address names; empty where it names none. */
  readonly finding: string;
  /** Whether what was decided is shown beside it; not where it is being decided. */
  readonly hasReview?: boolean;
}

interface TranscriptProps extends ConversationProps {
  readonly detail: ConversationDetail;
  /** Whether more of its events are being loaded. */
  readonly isFilling: boolean;
  readonly onMore: () => void;
  readonly onUnmask: (isUnmasked: boolean) => void;
}

/** Shows the button that leads to what has come since the reader last saw the end. */
function NewEvents({ unseen, onShow }: { unseen: number; onShow: () => void }): VNode {
  return html`<div class="new-events" role="status">
    ${unseen > 0 && html`<button type="button" onClick=${onShow}>↓ ${countNoun(unseen, "new entry", "new entries")}</button>`}
  </div>`;
}

/** Returns whether the events of a finding are not loaded yet. */
function isMissing({ findings, events, next }: ConversationDetail, id: string): boolean {
  const finding = findings.find((each) => each.id === id);
  if (!finding || next === null) return false;
  return !events.some(({ eventId }) => eventId === finding.eventId);
}

/** Makes the rows of a transcript; they stay the same until something of them changes. */
function useRows(
  { conversation, findings, isUnmasked }: ConversationDetail,
  items: readonly TranscriptItem[],
  options: Pick<Shown, "isPrinting" | "isText" | "page">,
): VNode[] {
  const { page, isText, isPrinting } = options;
  const found = useMemo(() => gatherFindings(items, findings), [items, findings]);
  return useMemo(() => {
    const name = conversation.agentName ?? conversation.agentId;
    const agent = { name, isVersionShown: hasVersions(conversation) };
    const { traces } = conversation;
    const shown: Shown = { page, isText, isPrinting, isUnmasked, agent, traces };
    return items.map(
      (item) =>
        html`<${Item} key=${item.key} item=${item} found=${found.get(item.key)} shown=${shown} />`,
    );
  }, [items, found, page, conversation, isText, isPrinting, isUnmasked]);
}

function Transcript(given: TranscriptProps): VNode {
  const { detail, isFilling, onMore, onUnmask, ...props } = given;
  const { list, page, finding, hasReview, conversationKey } = props;
  const { conversation, events, next } = detail;
  const pane = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [isText, setText] = useState(false);
  const isPrinting = usePrinting();
  const items = useMemo(() => toTranscript(events), [events]);
  const ready = useGradual(items.length, isPrinting);
  const visits = useVisits({ pane, page, wanted: finding, count: ready });
  const { unseen, showNewest } = useNewest(end, items.length, next === null);
  const isFurther = isMissing(detail, finding);
  useEffect(() => {
    if (isFurther) onMore();
  }, [isFurther, events.length]);
  const rows = useRows(detail, items, { page, isText, isPrinting });
  const view = html`<div class="conversation">
    <${ConversationHeader}
      detail=${detail}
      items=${items}
      list=${list}
      canSend=${hasReview === true}
      isText=${isText}
      onText=${() => setText(!isText)}
      onNext=${visits.next}
      onPrevious=${visits.previous}
      onUnmask=${onUnmask}
    />
    <div
      class="scroll transcript"
      ref=${pane}
      tabindex="0"
      role="region"
      aria-label="Transcript, times in UTC"
      onClick=${visits.onClick}
    >
      ${items.length === 0 && html`<p class="empty">No event of this conversation is kept.</p>`}
      ${rows.slice(0, ready)}
      ${
        next !== null &&
        !isFilling &&
        ready === rows.length &&
        html`<button type="button" class="more" onClick=${onMore}>
          Show more events (${events.length} of ${conversation.eventCount})
        </button>`
      }
      <div ref=${end} class="transcript-end"></div>
    </div>
    <${NewEvents} unseen=${unseen} onShow=${showNewest} />
  </div>`;
  if (hasReview !== true || !detail.item) return view;
  return html`<div class="review-page">
    ${view}
    <${ReviewState} key=${conversationKey} detail=${detail} item=${detail.item} page=${page} />
  </div>`;
}

/** Shows one conversation as a transcript with what was found in it, and follows it as it grows. */
export function ConversationView(props: ConversationProps): VNode {
  const { conversationKey, list } = props;
  const [wanted, setWanted] = useState(FIRST_EVENTS);
  const [isUnmasked, setUnmasked] = useState(false);
  const state = useConversation(conversationKey, wanted, isUnmasked);
  const isFirst = state.status === "ready" && state.detail.next !== null && wanted < PAGE_EVENTS;
  useEffect(() => {
    if (isFirst) setWanted(PAGE_EVENTS);
  }, [isFirst]);
  if (state.status === "ready") {
    const { detail } = state;
    const onMore = (): void => setWanted(detail.events.length + PAGE_EVENTS);
    return html`<${Transcript}
      ...${props}
      detail=${detail}
      isFilling=${detail.events.length < wanted}
      onMore=${onMore}
      onUnmask=${setUnmasked}
    />`;
  }
  return html`<${Placeholder}
    state=${state.status === "loading" ? undefined : state.status}
    reason=${state.status === "failed" ? state.reason : undefined}
    noun="conversation"
    list=${list.address}
  />`;
}
