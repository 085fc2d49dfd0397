import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";
import type {
  AgentResponseEvent,
  ComplianceViolationEvent,
  ConversationEndEvent,
  ConversationStartEvent,
  DetailedEvent,
  ErrorEvent,
  ToolResultEvent,
  UserMessageEvent,
} from "../../events/detailed-event.ts";
import { countNoun } from "../../util/count-noun.ts";
import { Finding, findOpinion, ReviewBadge, SeverityBadge, toLook } from "./finding.ts";
import { formatDuration, formatJson, formatLocal, formatTime } from "./format.ts";
import type { ShownJudgeResult, ToolItem, TranscriptItem } from "./transcript.ts";

function Time({ millis }: { millis: number }): VNode {
  return html`<time title=${formatLocal(millis)}>${formatTime(millis)}</time>`;
}

function Raw({ events }: { events: readonly DetailedEvent[] }): VNode {
  const label = events.length === 1 ? "Event JSON" : `${events.length} events as JSON`;
  return html`<details class="raw">
    <summary>${label}</summary>
    ${events.map((event) => html`<pre tabindex="0" key=${event.eventId}>${formatJson(event)}</pre>`)}
  </details>`;
}

function Part({ title, value }: { title: string; value: unknown }): VNode {
  const text = typeof value === "string" ? value : formatJson(value);
  return html`<div class="part">
    <h3>${title}</h3>
    <pre tabindex="0">${text}</pre>
  </div>`;
}

/** Returns whether no rule has assessed an answer: it must not look like one without findings. */
function isUnchecked({ metadata }: AgentResponseEvent): boolean {
  const { evaluated, captured } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return evaluated === false || captured === false;
}

function describeAnswer({ llmMetadata, riskScore }: AgentResponseEvent): string {
  const parts: string[] = [];
  if (llmMetadata) {
    const { model, latency, tokensUsed } = llmMetadata;
    parts.push(model, formatDuration(latency), countNoun(tokensUsed.total, "token"));
  }
  if (riskScore !== undefined) parts.push(`risk ${Math.round(riskScore)}`);
  return parts.join(" · ");
}

function UserMessage({ event }: { event: UserMessageEvent }): VNode {
  return html`<div class="turn user">
    <div class="bubble">
      <div class="who">
        <strong>${event.userId ?? "User"}</strong><${Time} millis=${event.timestamp} />
      </div>
      <p class="content">${event.content}</p>
      <${Raw} events=${[event]} />
    </div>
  </div>`;
}

/** The agent's name in the transcript. */
interface ShownAgent {
  readonly name: string;
  /** Whether each answer names the version that gave it. */
  readonly isVersionShown: boolean;
}

interface AgentResponseProps {
  readonly event: AgentResponseEvent;
  readonly agent: ShownAgent;
  readonly judged: readonly ShownJudgeResult[];
}

function AgentResponse({ event, agent, judged }: AgentResponseProps): VNode {
  const results = judged.map(({ result }) => result);
  const added = results.filter(({ isOpinion }) => !isOpinion);
  const isToReview =
    event.requiresReview === true || added.some(({ requiresReview }) => requiresReview);
  return html`<div class="turn agent">
    <div class="bubble">
      <div class="who">
        <strong>${agent.name}</strong>
        ${agent.isVersionShown && html`<span class="muted">${event.agentVersion ?? "version unknown"}</span>`}
        ${isToReview && html`<${ReviewBadge} />`}
        ${isUnchecked(event) && html`<span class="muted">not evaluated</span>`}
        <${Time} millis=${event.timestamp} />
      </div>
      <p class="content">${event.content}</p>
      <div class="meta">${describeAnswer(event)}</div>
      <${Raw} events=${[event, ...judged.map((one) => one.event)]} />
    </div>
    ${(event.complianceFlags ?? []).map(
      (flag, index) =>
        html`<${Finding} key=${index} flag=${flag} judged=${findOpinion(results, flag)} />`,
    )}
    ${added.map(
      (result, index) =>
        html`<${Finding} key=${`judge-${index}`} flag=${result.finding} judged=${result} />`,
    )}
  </div>`;
}

function describeCall({ call, result }: ToolItem): ComponentChildren {
  if (!result) return html`<span class="muted">no result</span>`;
  const isTimed = result.metadata?.["executionTimeKnown"] !== false;
  const duration = isTimed ? formatDuration(result.executionTime) : "";
  if (!result.success)
    return html`<span class="failed">✕ failed</span> <span class="muted">${duration}</span>`;
  return html`<span class="muted">${call ? "" : "result only "}✓ ${duration}</span>`;
}

function hasResult({ toolError, toolResult }: ToolResultEvent): boolean {
  return toolError === undefined || (toolResult !== null && toolResult !== undefined);
}

function ToolSummary({ item }: { item: ToolItem }): VNode {
  const { call, result } = item;
  return html`<summary>
    <span class="label">tool</span>
    <code>${call?.toolName ?? result?.toolName}</code> ${describeCall(item)}
    ${call?.riskLevel === "high" && html`<span class="muted">high risk</span>`}
    <${Time} millis=${call?.timestamp ?? result?.timestamp ?? 0} />
  </summary>`;
}

function Tool({ item }: { item: ToolItem }): VNode {
  const { call, result } = item;
  const hasFailed = result?.success === false;
  return html`<details class="tool ${hasFailed ? "has-failed" : ""}" open=${hasFailed}>
    <${ToolSummary} item=${item} />
    ${call && html`<${Part} title="Parameters" value=${call.toolParameters} />`}
    ${result?.toolError !== undefined && html`<${Part} title="Error" value=${result.toolError} />`}
    ${result && hasResult(result) && html`<${Part} title="Result" value=${result.toolResult} />`}
    <${Raw} events=${[call, result].filter((event) => event !== undefined)} />
  </details>`;
}

function ErrorRow({ event }: { event: ErrorEvent }): VNode {
  return html`<div class="notice violation">
    <div class="who">
      <strong>✕ ${event.errorType}</strong>
      <span class="muted">${event.severity}${event.recoverable ? ", recoverable" : ""}</span>
      <${Time} millis=${event.timestamp} />
    </div>
    <p class="content">${event.errorMessage}</p>
    ${
      event.errorStack !== undefined &&
      html`<details>
        <summary>Stack</summary>
        <pre tabindex="0">${event.errorStack}</pre>
      </details>`
    }
    <${Raw} events=${[event]} />
  </div>`;
}

function ViolationRow({ event }: { event: ComplianceViolationEvent }): VNode {
  return html`<div class="finding ${toLook(event.severity)}" data-finding tabindex="-1">
    <header>
      <${SeverityBadge} severity=${event.severity} />
      <code>${event.ruleId}</code>
      <span class="muted">${event.violationType}, reported by the application</span>
      <${Time} millis=${event.timestamp} />
    </header>
    <p>${event.description}</p>
    <${Raw} events=${[event]} />
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
  return html`<details class="marker">
    <summary>
      <span>${describeMarker(event)} · <${Time} millis=${event.timestamp} /></span>
    </summary>
    <pre tabindex="0">${formatJson(event)}</pre>
  </details>`;
}

/** Shows one entry of the transcript. */
export function Item({ item, agent }: { item: TranscriptItem; agent: ShownAgent }): VNode {
  switch (item.kind) {
    case "marker":
      return html`<${Marker} event=${item.event} />`;
    case "message":
      return item.event.interactionType === "user_message"
        ? html`<${UserMessage} event=${item.event} />`
        : html`<${AgentResponse} event=${item.event} agent=${agent} judged=${item.judged} />`;
    case "tool":
      return html`<${Tool} item=${item} />`;
    case "error":
      return html`<${ErrorRow} event=${item.event} />`;
    case "violation":
      return html`<${ViolationRow} event=${item.event} />`;
  }
}
