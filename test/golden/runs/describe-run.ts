import type { EventBatch } from "../../../src/events/batch.ts";
import type { ComplianceFlag } from "../../../src/events/compliance.ts";
import type { DetailedEvent } from "../../../src/events/detailed-event.ts";
import type { Logger } from "../../../src/events/utility.ts";
import type { MonitorStats } from "../../../src/monitor/pipeline.ts";
import type { SinkRequest } from "../../helpers/sink.ts";
import { toDigest } from "../golden-file.ts";
import { isOfBefore, isTimed, type Normaliser } from "./normalise.ts";

/** Creates a logger that notes every line, with what it says beside the message. */
export function createNotingLogger(note: (line: string) => void): Logger {
  const write =
    (level: string) =>
    (message: string, data?: unknown): void =>
      note([level, message, ...(data === undefined ? [] : [JSON.stringify(data)])].join(" "));
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Lists the books of a monitor, a member a line. */
export function describeStats(stats: MonitorStats): string[] {
  // How full the disk is says how long the ids of processes are.
  const { spool, ...rest } = stats;
  const { bytes: _bytes, ...ofSpool } = spool ?? { bytes: 0 };
  return Object.entries({ ...rest, ...(spool && { spool: ofSpool }) }).map(
    ([name, value]) => `${name} ${JSON.stringify(value)}`,
  );
}

/** Whether an event is what the rules and the judge of now say, which another golden file guards. */
function isOfNow({ eventId, interactionType }: DetailedEvent, isRechecked: boolean): boolean {
  return !isTimed(eventId) || (isRechecked && interactionType === "agent_response");
}

function describeEvent(event: DetailedEvent, isRechecked: boolean): string {
  const members = event as Readonly<Record<string, any>>;
  const { eventId, interactionType } = event;
  const head = `  ${eventId} ${interactionType} #${members["sequence"]}`;
  if (!isOfNow(event, isRechecked)) {
    const text = JSON.stringify(event);
    return `${head} ${isOfBefore(eventId) ? toDigest(text) : text}`;
  }
  const { requiresReview, complianceFlags = [], metadata } = members;
  const rules = (complianceFlags as readonly ComplianceFlag[]).map(({ rule }) => rule);
  const { evaluated, tier, finding } = metadata ?? {};
  return `${head} ${JSON.stringify({ requiresReview, rules, evaluated, tier, rule: finding?.rule })}`;
}

function describeBatch(
  { json, text }: SinkRequest,
  normalise: Normaliser,
  isRechecked: boolean,
): string[] {
  const { events, checksum, totalSize, ...rest } = json as EventBatch;
  const isKept = isOfBefore(rest.batchId);
  const { hash, previous } = rest.metadata?.chain ?? {};
  if (isKept) for (const known of [checksum, hash, previous]) normalise.keep(known ?? "");
  const isSteady = events.every(
    (event) => isOfBefore(event.eventId) && !isOfNow(event, isRechecked),
  );
  if (isSteady) normalise.keep(checksum ?? "");
  const shown = { ...(isSteady && { checksum, totalSize }), ...rest, events: events.length };
  return [
    `batch ${JSON.stringify(shown)}`,
    ...(isKept ? [`  its bytes ${toDigest(text)}`] : []),
    ...events.map((event) => describeEvent(event, isRechecked)),
  ];
}

/**
 * Lists the requests that the platform got, batches with all of their members and a line for each event.
 *
 * @param isRechecked - Whether answers were checked by the rules of now.
 */
export function describeRequests(
  requests: readonly SinkRequest[],
  normalise: Normaliser,
  isRechecked = false,
): string[] {
  return requests.flatMap((request, index) => {
    const { method, path, text, json } = request;
    const head = `request ${index + 1}: ${method} ${path}`;
    const first = requests.findIndex((other) => other.text === text);
    if (first < index) return [`${head}, the bytes of request ${first + 1}`];
    if (!Array.isArray(json?.events)) return [`${head} ${text}`];
    return [head, ...describeBatch(request, normalise, isRechecked)];
  });
}
