import { html } from "htm/preact";
import type { VNode } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { RetentionReport } from "../../records/purge.ts";
import type { Hold } from "../../store/hold-store.ts";
import { ExportSection } from "./export-section.ts";
import { HoldSection } from "./hold-section.ts";
import { loadHolds, loadRetention } from "./records-api.ts";
import { RetentionSection } from "./retention-section.ts";
import { loadMe, type Me } from "../review/review-api.ts";

/** What the page shows. */
interface Records {
  readonly me: Me;
  readonly report: RetentionReport;
  readonly holds: readonly Hold[];
}

function useRecords() {
  const [records, setRecords] = useState<Records>();
  const [failure, setFailure] = useState("");
  const refresh = useCallback(async () => {
    try {
      const [me, report, holds] = await Promise.all([loadMe(), loadRetention(), loadHolds()]);
      setRecords({ me, report, holds });
      setFailure("");
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "unknown");
    }
  }, []);
  useEffect(() => void refresh(), [refresh]);
  return { records, failure, refresh };
}

/** Shows how long conversations are kept, what is held, and exports them. */
export function RecordsPage(): VNode {
  const { records, failure, refresh } = useRecords();
  if (!records)
    return html`<main class="records">
      <p class=${failure === "" ? "muted" : "failed"} role="status">
        ${failure === "" ? "Counting…" : `The records can't be read: ${failure}.`}
      </p>
    </main>`;
  const { me, report, holds } = records;
  return html`<main class="records">
    <h2>Records</h2>
    ${failure !== "" && html`<p class="failed" role="alert">Not up to date: ${failure}.</p>`}
    <${RetentionSection} report=${report} role=${me.role} onDone=${refresh} />
    <${HoldSection} holds=${holds} role=${me.role} onDone=${refresh} />
    <${ExportSection} holds=${holds} role=${me.role} />
  </main>`;
}
