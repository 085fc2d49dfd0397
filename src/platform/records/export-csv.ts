import type { DetailedEvent } from "../../events/detailed-event.ts";
import { toIsoTime } from "./export-texts.ts";
import { describeEvent } from "./export-texts.ts";
import type { ExportCounts, ExportedConversation, ExportHead } from "./export-source.ts";

const COLUMNS = [
  "organization",
  "agent",
  "agent version",
  "environment",
  "conversation key",
  "conversation",
  "time (UTC)",
  "kind",
  "event id",
  "user",
  "text",
  "rule",
  "category",
  "severity",
  "disposition",
  "reason code",
  "decided by",
  "decided at (UTC)",
] as const;

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string | null | undefined>>>;

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

function toCell(value: string | null | undefined): string {
  const text = value ?? "";
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function toRecord(cells: readonly (string | null | undefined)[]): Buffer {
  return Buffer.from(`${cells.map(toCell).join(",")}\r\n`);
}

function toRow(row: Row): Buffer {
  return toRecord(COLUMNS.map((name) => row[name]));
}

/** Writes a row for each event and each finding. @see RFC 4180 */
export async function* writeCsv(
  conversations: AsyncIterable<ExportedConversation>,
  _head: ExportHead,
  counts: ExportCounts,
): AsyncGenerator<Uint8Array> {
  yield toRecord(COLUMNS);
  for await (const { conversation, findings, events } of conversations) {
    const { organizationId, agentId, key, conversationId } = conversation;
    const shared: Row = {
      organization: organizationId,
      agent: agentId,
      "conversation key": key,
      conversation: conversationId,
    };
    for await (const json of events()) {
      const event = JSON.parse(json) as DetailedEvent;
      counts.events++;
      yield toRow({
        ...shared,
        "agent version": event.agentVersion,
        environment: event.environment,
        "time (UTC)": toIsoTime(event.timestamp),
        kind: event.interactionType,
        "event id": event.eventId,
        user: event.userId,
        text: describeEvent(event),
      });
    }
    for (const { decision, ...finding } of findings) {
      counts.findings++;
      yield toRow({
        ...shared,
        "agent version": finding.agentVersion,
        environment: finding.environment,
        "time (UTC)": toIsoTime(finding.at),
        kind: "finding",
        "event id": finding.eventId,
        text: finding.quote === "" ? finding.description : finding.quote,
        rule: finding.rule,
        category: finding.category,
        severity: finding.severity,
        disposition: decision?.disposition,
        "reason code": decision?.reasonCode,
        "decided by": decision?.actor,
        "decided at (UTC)": decision && toIsoTime(decision.at),
      });
    }
    counts.conversations++;
  }
}
