import { html } from "htm/preact";
import { Component, type ComponentChildren, type VNode } from "preact";
import type {
  ConversationEndEvent,
  ConversationStartEvent,
  ErrorEvent,
} from "../../../events/detailed-event.ts";
import { countNoun } from "../../../util/count-noun.ts";
import { Disclosure, RawEvents } from "../parts/disclosure.ts";
import { FindingCard } from "../finding/finding-card.ts";
import { formatDuration, formatJson } from "../parts/format.ts";
import { Message, type Shown } from "./message-row.ts";
import { type ItemFindings, NOTHING_FOUND } from "../finding/shown-findings.ts";
import { Time } from "../parts/time.ts";
import { ToolRow } from "./tool-row.ts";
import type { TranscriptItem } from "./transcript.ts";

function ErrorRow({ event, isPrinting }: { event: ErrorEvent; isPrinting: boolean }): VNode {
  const stack = (): VNode => html`<pre tabindex="0">${event.errorStack}</pre>`;
  return html`<div class="notice violation">
    <div class="who">
      <strong>✕ ${event.errorType}</strong>
      ${event.errorCode !== undefined && html`<code>${event.errorCode}</code>`}
      <span class="muted">${event.severity}${event.recoverable ? ", recoverable" : ""}</span>
      <${Time} millis=${event.timestamp} />
    </div>
    <p class="content">${event.errorMessage}</p>
    ${
      event.errorStack !== undefined &&
      html`<${Disclosure} class="stack" summary="Stack" body=${stack} isPrinting=${isPrinting} />`
    }
    <${RawEvents} events=${[event]} />
  </div>`;
}

function describeMarker(event: ConversationStartEvent | ConversationEndEvent): string {
  if (event.interactionType === "conversation_start") {
    const channel = event.metadata?.channel;
    return channel === undefined ? "Conversation started" : `Conversation started · ${channel}`;
  }
  const parts = [
    `Conversation ended · ${event.resolutionStatus}`,
    formatDuration(event.duration),
    countNoun(event.messageCount, "message"),
  ];
  if (event.userSatisfaction !== undefined)
    parts.push(`satisfaction ${event.userSatisfaction} of 10`);
  return parts.join(" · ");
}

function Marker({ event }: { event: ConversationStartEvent | ConversationEndEvent }): VNode {
  const summary = html`<span
    >${describeMarker(event)} · <${Time} millis=${event.timestamp}
  /></span>`;
  const body = (): VNode => html`<pre tabindex="0">${formatJson(event)}</pre>`;
  return html`<${Disclosure} class="marker" summary=${summary} body=${body} />`;
}

interface ItemProps {
  readonly item: TranscriptItem;
  readonly found: ItemFindings;
  readonly shown: Shown;
}

function Row({ item, found, shown }: ItemProps): VNode {
  switch (item.kind) {
    case "marker":
      return html`<${Marker} event=${item.event} />`;
    case "message":
      return html`<${Message} item=${item} found=${found} shown=${shown} />`;
    case "tool":
      return html`<${ToolRow} item=${item} isPrinting=${shown.isPrinting} />`;
    case "error":
      return html`<${ErrorRow} event=${item.event} isPrinting=${shown.isPrinting} />`;
    case "violation":
      return html`<div class="reported">
        <p class="muted">Reported by the application <${Time} millis=${item.event.timestamp} /></p>
        ${found.findings.map((finding) => html`<${FindingCard} key=${finding.id} finding=${finding} page=${shown.page} />`)}
        <${RawEvents} events=${[item.event]} />
      </div>`;
  }
}

/** Names all that a row is made of: rows whose signature is the same need no look at what they show. */
function toSignature({ item, found, shown }: ItemProps): string {
  const parts =
    item.kind === "tool"
      ? [item.call?.eventId, item.result?.eventId]
      : [item.key, item.kind === "message" ? [item.event.content.length, item.judged.length] : 0];
  const findings = found.findings.map(({ id, stored, again, judged }) => [
    id,
    stored?.decision?.at,
    stored?.tier,
    again.length,
    judged?.tier,
  ]);
  return JSON.stringify([parts, findings, found.marks, shown]);
}

interface KeptProps {
  readonly signature: string;
  readonly children?: ComponentChildren;
}

/** Leaves a row as it is until something of it changes. */
class Kept extends Component<KeptProps> {
  override shouldComponentUpdate(next: KeptProps): boolean {
    return next.signature !== this.props.signature;
  }

  override render(): ComponentChildren {
    return this.props.children;
  }
}

/** Height of a row that was never seen, in CSS pixels: a guess by its text, so that the scroll bar hardly moves. */
function guessHeight({ item, found }: ItemProps): number {
  if (item.kind === "marker" || item.kind === "tool") return 36;
  const length = item.kind === "message" ? item.event.content.length : 0;
  return 100 + Math.ceil(Math.min(length, 20_000) / 90) * 21 + found.findings.length * 190;
}

/** Shows one entry of the transcript; far from what is looked at, the browser leaves it out. */
export function Item({
  item,
  found = NOTHING_FOUND,
  shown,
}: Omit<ItemProps, "found"> & { found?: ItemFindings | undefined }): VNode {
  const props = { item, found, shown };
  const style = { containIntrinsicBlockSize: `auto ${guessHeight(props)}px` };
  return html`<${Kept} signature=${toSignature(props)}>
    <div class="row" style=${style}><${Row} ...${props} /></div>
  <//>`;
}
