import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { TraceRow } from "../../store/span-store.ts";
import { loadTrace, loadTraces, useDetail, usePolling, type TraceDetail } from "../api.ts";
import {
  formatDateTime,
  formatDuration,
  formatJson,
  formatLocal,
  formatWhen,
} from "../parts/format.ts";
import { Placeholder } from "../parts/placeholder.ts";
import { toBranches, toDurationMillis, type Branch } from "./span-tree.ts";

function Entry({ row, isSelected }: { row: TraceRow; isSelected: boolean }): VNode {
  return html`<li>
    <a href="#/t/${row.traceId}" aria-current=${isSelected ? "true" : undefined}>
      <span class="line">
        <span class="title">${row.name === "" ? "(no name)" : row.name}</span>
        <time title=${formatLocal(row.startedAt)}>${formatWhen(row.startedAt, Date.now())}</time>
      </span>
      <span class="line muted">
        <span class="ellipsis">${row.service}</span>
        <span class="nowrap">
          ${countNoun(row.spanCount, "span")} · ${formatDuration(row.durationMillis)}
        </span>
      </span>
      ${row.errorCount > 0 && html`<span class="line failed">${row.errorCount} failed</span>`}
    </a>
  </li>`;
}

function EmptyList(): VNode {
  return html`<div class="empty">
    <p>No traces yet.</p>
    <p>Point any OpenTelemetry exporter here and they appear by themselves:</p>
    <pre tabindex="0">${`OTEL_EXPORTER_OTLP_ENDPOINT=${location.origin}`}</pre>
  </div>`;
}

/** Shows the newest traces, the one with the newest span first. */
export function TraceList({ selected }: { selected: string }): VNode {
  const [traces, setTraces] = useState<readonly TraceRow[]>();
  usePolling(async (isCurrent) => {
    // When the platform does not respond, the bar at the top shows it.
    const page = await loadTraces().catch(() => undefined);
    if (page && isCurrent()) setTraces(page.traces);
  }, []);
  return html`<nav class="list" aria-label="Traces">
    <div class="scroll">
      ${traces?.length === 0 && html`<${EmptyList} />`}
      <ul>
        ${traces?.map((row) => html`<${Entry} key=${row.seq} row=${row} isSelected=${row.traceId === selected} />`)}
      </ul>
    </div>
  </nav>`;
}

/** Deeper spans are not moved further to the right. */
const MAX_INDENT = 12;

function SpanItem({ branch }: { branch: Branch }): VNode {
  const { span, depth } = branch;
  const [isOpen, setOpen] = useState(false);
  const isFailed = span.status.code === "error";
  return html`<details
    class="tool span"
    style=${{ "--depth": String(Math.min(depth, MAX_INDENT)) }}
    onToggle=${(event: { currentTarget: { open: boolean } }) => setOpen(event.currentTarget.open)}
  >
    <summary>
      <span class="line">
        <span class="ellipsis">${span.name === "" ? "(no name)" : span.name}</span>
        <span class="muted ellipsis hide-small">${span.scope.name}</span>
        ${isFailed && html`<span class="failed nowrap">✕ failed</span>`}
        <span class="muted nowrap end">${formatDuration(toDurationMillis(span))}</span>
      </span>
    </summary>
    ${isOpen && html`<div class="part"><pre tabindex="0">${formatJson(span)}</pre></div>`}
  </details>`;
}

function Header({ trace }: { trace: TraceDetail["trace"] }): VNode {
  const facts = [
    trace.service,
    `${formatDateTime(trace.startedAt)} UTC`,
    formatDuration(trace.durationMillis),
    countNoun(trace.spanCount, "span"),
  ].filter((fact) => fact !== "");
  return html`<header class="conversation-header">
    <a class="back" href="#/traces">← Traces</a>
    <h2>${trace.name === "" ? "(no name)" : trace.name}</h2>
    <p class="muted">${facts.join(" · ")}</p>
    ${trace.conversations.map(
      ({ key, title }) =>
        html`<p key=${key}>
          <a href="#/c/${key}">Conversation: ${title ?? "(no user message)"}</a>
        </p>`,
    )}
    <p class="muted ids">${trace.organizationId} / ${trace.traceId}</p>
  </header>`;
}

/** Shows the spans of one trace, each under its parent, and follows it as it grows. */
export function TraceView({ traceId }: { traceId: string }): VNode {
  const load = async (old: TraceDetail | undefined): Promise<TraceDetail> => {
    const loaded = await loadTrace(traceId);
    return old?.trace.spanCount === loaded.trace.spanCount ? old : loaded;
  };
  const detail = useDetail(load, [traceId]);
  if (detail === "missing" || !detail)
    return html`<${Placeholder} state=${detail} noun="trace" list="#/traces" />`;
  return html`<div class="conversation">
    <${Header} trace=${detail.trace} />
    <div class="scroll transcript spans" tabindex="0" role="region" aria-label="Spans">
      ${toBranches(detail.spans).map((branch) => html`<${SpanItem} key=${branch.span.spanId} branch=${branch} />`)}
      ${detail.next !== null && html`<p class="muted">Only the first ${detail.spans.length} spans are shown.</p>`}
    </div>
  </div>`;
}
