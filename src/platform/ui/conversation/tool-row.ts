import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";
import type { ToolResultEvent } from "../../../events/detailed-event.ts";
import { Disclosure, RawEvents } from "../parts/disclosure.ts";
import { formatDuration, formatJson } from "../parts/format.ts";
import { Time } from "../parts/time.ts";
import type { ToolItem } from "./transcript.ts";

function Part({ title, value }: { title: string; value: unknown }): VNode {
  const text = typeof value === "string" ? value : formatJson(value);
  return html`<div class="part">
    <h3>${title}</h3>
    <pre tabindex="0">${text}</pre>
  </div>`;
}

function describeOutcome({ call, result }: ToolItem): ComponentChildren {
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

function Summary({ item }: { item: ToolItem }): VNode {
  const { call, result } = item;
  return html`<span class="label">tool</span>
    <code>${call?.toolName ?? result?.toolName}</code> ${describeOutcome(item)}
    ${call?.riskLevel === "high" && html`<span class="muted">high risk</span>`}
    <${Time} millis=${call?.timestamp ?? result?.timestamp ?? 0} />`;
}

/** Shows a tool's call and its result, open where it has failed. */
export function ToolRow({ item, isPrinting }: { item: ToolItem; isPrinting: boolean }): VNode {
  const { call, result } = item;
  const hasFailed = result?.success === false;
  const body = (): VNode => html`
    ${call && html`<${Part} title="Parameters" value=${call.toolParameters} />`}
    ${result?.toolError !== undefined && html`<${Part} title="Error" value=${result.toolError} />`}
    ${result && hasResult(result) && html`<${Part} title="Result" value=${result.toolResult} />`}
    <${RawEvents} events=${[call, result].filter((event) => event !== undefined)} />
  `;
  return html`<${Disclosure}
    key=${hasFailed}
    class=${hasFailed ? "tool has-failed" : "tool"}
    summary=${html`<${Summary} item=${item} />`}
    body=${body}
    isOpen=${hasFailed}
    isPrinting=${isPrinting}
  />`;
}
