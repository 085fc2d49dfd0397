import { readTelemetry } from "../otlp/read-telemetry.ts";
import {
  STORED_LOG_RECORDS,
  STORED_SPANS,
  type StoredSignal,
  storeTelemetry,
} from "../otlp/store-telemetry.ts";
import type { PlatformContext } from "../platform-context.ts";
import { ProblemError } from "../problem.ts";
import { readAgent } from "../read-agent.ts";
import { type JsonBody, openJson, type SentBody } from "../read-body.ts";
import { readEnvelope } from "../read-envelope.ts";
import { storeAgent, storeBatch } from "../store-delivery.ts";
import type { ReadRecord } from "./kafka-consumer.ts";
import type { RecordKind } from "./kafka-record.ts";
import { FOREIGN_RECORD, readRecord, type RecordFacts } from "./read-record.ts";

/** What storing needs. */
export type RecordRoom = Pick<
  PlatformContext,
  "bodies" | "decrypt" | "eventMaker" | "options" | "store" | "turns"
>;

type Take = (room: RecordRoom, facts: RecordFacts, onQueued: () => void) => Promise<unknown>;

function openBody({ options, bodies, turns, decrypt }: RecordRoom, body: SentBody) {
  const maxBytes = options.maxBodyBytes;
  return bodies.lend((lease): Promise<JsonBody> =>
    openJson(body, { maxBytes, lease, turns, decrypt }),
  );
}

const takeBatch: Take = async (room, { organizationId, receivedAt, body }, onQueued) => {
  const opened = await openBody(room, body);
  // The gateway has compared the ids with its request's; those of an encrypted batch are compared here again.
  const envelope = readEnvelope(opened, new Headers(), organizationId);
  await storeBatch(room, opened, envelope, () => receivedAt, onQueued);
};

const takeAgent: Take = async (room, { organizationId, body }) => {
  await storeAgent(room, organizationId, readAgent(await openBody(room, body)));
};

const takeTelemetry =
  <Item extends object>(signal: StoredSignal<Item>): Take =>
  async (room, { organizationId, receivedAt, body, isProtobuf }) => {
    const request = { bytes: body.sent, format: isProtobuf ? "protobuf" : "json" } as const;
    const received = await room.turns.take(readTelemetry(request, signal.kind, receivedAt));
    await storeTelemetry(room, signal, received, { organizationId, receivedAt });
  };

const TAKES: Readonly<Record<RecordKind, Take>> = {
  "batch/1": takeBatch,
  "agent/1": takeAgent,
  "traces/1": takeTelemetry(STORED_SPANS),
  "logs/1": takeTelemetry(STORED_LOG_RECORDS),
};

/** Returns whether a problem stays, however often the record comes. */
function isFinal({ status }: ProblemError): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/**
 * Stores what a record holds.
 *
 * @param onQueued - Called where nothing that comes later is written before it, though it is not stored yet.
 * @returns Why nobody can, as a code of the platform's problems or `foreign_record`; `undefined` once it is stored.
 * @throws Error where another attempt may succeed.
 */
export async function takeRecord(
  room: RecordRoom,
  record: ReadRecord,
  onQueued: () => void,
): Promise<string | undefined> {
  const facts = readRecord(record);
  if (!facts) return FOREIGN_RECORD;
  // A gateway whose clock is ahead must not write into the future.
  const receivedAt = Math.min(facts.receivedAt, room.options.clock.now());
  try {
    await TAKES[facts.kind](room, { ...facts, receivedAt }, onQueued);
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError && isFinal(error)) return error.code;
    throw error;
  }
}
