import { html } from "htm/preact";
import type { VNode } from "preact";
import type { AgentResponseEvent, UserMessageEvent } from "../../../events/detailed-event.ts";
import { describeAnswer } from "./answer-facts.ts";
import { RawEvents } from "../parts/disclosure.ts";
import { FindingCard } from "../finding/finding-card.ts";
import { ReviewBadge } from "../finding/finding.ts";
import { MessageText } from "./message-text.ts";
import type { ItemFindings } from "../finding/shown-findings.ts";
import { Time } from "../parts/time.ts";
import type { MessageItem } from "./transcript.ts";

/** How the page shows its rows. */
export interface Shown {
  /** Address of the page. */
  readonly page: string;
  readonly agent: {
    readonly name: string;
    /** Whether each answer names the version that gave it. */
    readonly isVersionShown: boolean;
  };
  /** Traces whose spans are kept. */
  readonly traces: readonly string[];
  readonly isText: boolean;
  readonly isPrinting: boolean;
  /** Whether texts are shown as they came. */
  readonly isUnmasked: boolean;
}

interface MessageProps<Event> {
  readonly item: MessageItem & { readonly event: Event };
  readonly found: ItemFindings;
  readonly shown: Shown;
}

/** Returns whether no rule has assessed an answer: it must not look like one without findings. */
function isUnchecked({ metadata }: AgentResponseEvent): boolean {
  const { evaluated, captured } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return evaluated === false || captured === false;
}

function UserMessage({ item, found, shown }: MessageProps<UserMessageEvent>): VNode {
  const { event } = item;
  return html`<div class="turn user">
    <div class="bubble">
      <div class="who">
        <strong>${event.userId ?? "User"}</strong><${Time} millis=${event.timestamp} />
      </div>
      <${MessageText}
        event=${event}
        marks=${found.marks}
        isMarkdown=${false}
        isPrinting=${shown.isPrinting}
      />
      <${RawEvents} events=${[event]} />
    </div>
  </div>`;
}

/** Links to the trace of an answer, if its spans are kept. */
function TraceLink({ event, traces }: { event: AgentResponseEvent } & Pick<Shown, "traces">) {
  const { traceId } = (event.metadata ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof traceId !== "string" || !traces.includes(traceId)) return null;
  return html` · <a href="#/t/${traceId}">trace</a>`;
}

function AgentMessage({ item, found, shown }: MessageProps<AgentResponseEvent>): VNode {
  const { event, judged, late } = item;
  const { agent, page } = shown;
  const isToReview =
    event.requiresReview === true ||
    judged.some(({ result }) => !result.isOpinion && result.requiresReview);
  return html`<div class="turn agent">
    <div class="bubble">
      <div class="who">
        <strong>${agent.name}</strong>
        ${agent.isVersionShown && html`<span class="muted">${event.agentVersion ?? "version unknown"}</span>`}
        ${isToReview && html`<${ReviewBadge} />`}
        ${isUnchecked(event) && html`<span class="muted">not evaluated</span>`}
        <${Time} millis=${event.timestamp} />
      </div>
      <${MessageText}
        event=${event}
        marks=${found.marks}
        isMarkdown=${!shown.isText}
        isPrinting=${shown.isPrinting}
      />
      <div class="meta">
        ${describeAnswer(event)}<${TraceLink} event=${event} traces=${shown.traces} />
      </div>
      <${RawEvents} events=${[event, ...[...judged, ...late].map((one) => one.event)]} />
    </div>
    ${found.findings.map((finding) => html`<${FindingCard} key=${finding.id} finding=${finding} page=${page} />`)}
  </div>`;
}

/** Shows a message; an answer with what was found in it. */
export function Message({
  item,
  ...rest
}: Omit<MessageProps<unknown>, "item"> & { item: MessageItem }): VNode {
  return item.event.interactionType === "user_message"
    ? html`<${UserMessage} item=${item} ...${rest} />`
    : html`<${AgentMessage} item=${item} ...${rest} />`;
}
