import { createHash } from "node:crypto";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { StoredFinding } from "../store/finding-store.ts";
import { describeEvent, toIsoTime } from "./export-texts.ts";
import type { ExportCounts, ExportedConversation, ExportHead } from "./export-source.ts";
import { type RsmfEvent, writeRsmf } from "./rsmf-file.ts";
import { createZip } from "./zip.ts";

/** Events of a file: Relativity asks for no more. */
const MAX_EVENTS = 10_000;
/** UTF-16 units of a file's texts, before it goes on in another one. */
const MAX_TEXT = 8 * 1024 * 1024;

const CUSTOMER = "customer";
const AGENT = "agent";
const TOOLS = "tools";

const PARTICIPANTS: Readonly<Record<DetailedEvent["interactionType"], string>> = {
  conversation_start: CUSTOMER,
  user_message: CUSTOMER,
  agent_response: AGENT,
  tool_call: AGENT,
  tool_result: TOOLS,
  error: TOOLS,
  conversation_end: CUSTOMER,
  compliance_violation: AGENT,
};

function describeFinding({ rule, severity, quote, decision }: StoredFinding): string {
  const decided = decision ? `; ${decision.disposition} (${decision.actor})` : "";
  return `${rule}, ${severity}${quote === "" ? "" : `: ${quote}`}${decided}`;
}

function toEvent(json: string, findings: readonly StoredFinding[]): RsmfEvent {
  const event = JSON.parse(json) as DetailedEvent;
  const { interactionType: kind, eventId, timestamp } = event;
  const isSpoken = kind === "user_message" || kind === "agent_response";
  const text = describeEvent(event);
  return {
    id: eventId,
    type: isSpoken ? "message" : "unknown",
    participant: PARTICIPANTS[kind],
    timestamp: toIsoTime(timestamp),
    body: isSpoken ? text : `[${kind.replaceAll("_", " ")}] ${text}`.trim(),
    ...(isSpoken && { direction: kind === "user_message" ? "incoming" : "outgoing" }),
    custom: findings
      .filter((finding) => finding.eventId === eventId || finding.answerId === eventId)
      .map((finding) => ({ name: "finding", value: describeFinding(finding) })),
  };
}

/** Cuts a conversation into the events of one file each. */
async function* slice({ events, findings }: ExportedConversation): AsyncGenerator<RsmfEvent[]> {
  let part: RsmfEvent[] = [];
  let length = 0;
  for await (const json of events()) {
    const event = toEvent(json, findings);
    if (part.length >= MAX_EVENTS || (part.length > 0 && length + event.body.length > MAX_TEXT)) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(event);
    length += event.body.length;
  }
  if (part.length > 0) yield part;
}

/**
 * Writes a ZIP archive with an RSMF 2.0 file of each conversation, several of a long one, a manifest, and the digests of all files as
 * `sha256sum -c SHA256SUMS` reads them.
 */
export async function* writeRsmfArchive(
  conversations: AsyncIterable<ExportedConversation>,
  head: ExportHead,
  counts: ExportCounts,
): AsyncGenerator<Uint8Array> {
  const zip = createZip(head.exportedAt);
  const sums: string[] = [];
  const add = (name: string, data: Uint8Array): Uint8Array => {
    sums.push(`${createHash("sha256").update(data).digest("hex")}  ${name}\n`);
    return zip.add(name, data);
  };
  for await (const exported of conversations) {
    const { conversation, findings } = exported;
    let part = 0;
    for await (const events of slice(exported)) {
      part++;
      counts.events += events.length;
      const participants = [
        { id: CUSTOMER, display: "Customer" },
        { id: AGENT, display: conversation.agentName ?? conversation.agentId },
        { id: TOOLS, display: "Tools" },
      ];
      const file = writeRsmf({ conversation, participants, events, part, custodian: AGENT });
      yield add(`${conversation.key}-${part}.rsmf`, file);
    }
    counts.conversations++;
    counts.findings += findings.length;
  }
  const manifest = JSON.stringify({ ...head, ...counts, files: sums.length }, null, 2);
  yield add("manifest.json", Buffer.from(`${manifest}\n`));
  yield zip.add("SHA256SUMS", Buffer.from(sums.join("")));
  yield zip.finish();
}
