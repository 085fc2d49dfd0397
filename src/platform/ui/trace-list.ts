import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { VNode } from "preact";
import { countNoun } from "../../util/count-noun.ts";
import type { TraceRow } from "../store/span-store.ts";
import { loadTraces } from "./api.ts";
import { formatDuration, formatLocal, formatWhen } from "./format.ts";
import { usePolling } from "./use-polling.ts";

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
export function TraceList({ selected }: { selected: string | undefined }): VNode {
  const [traces, setTraces] = useState<readonly TraceRow[]>();
  usePolling(async (isCurrent) => {
    // When the platform does not answer, the bar at the top says so.
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
