import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { BatchEnvelope } from "../events/batch.ts";
import type { BatchAck } from "../events/wire.ts";
import { countNoun } from "../util/count-noun.ts";
import type { Authenticator } from "./authentication.ts";
import type { Customers } from "./customers/customers.ts";
import type { Decrypt } from "./decryption.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Faults } from "./faults/faults.ts";
import type { EventMapper } from "./otlp/event-mapper.ts";
import type { BackTests } from "./policies/back-tests.ts";
import { ProblemError } from "./problem.ts";
import type { SteadyTime } from "./records/steady-time.ts";
import { readAgent } from "./read-agent.ts";
import { readJsonBody, type BodyBudget, type BodyLease } from "./read-body.ts";
import { readEnvelope } from "./read-envelope.ts";
import type { MessageSender } from "./outgoing/message-sender.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import { putAgent } from "./store/agent-store.ts";
import { addBatch, findDelivered, noteRedelivery, type Delivery } from "./store/batch-store.ts";
import type { Store } from "./store/store.ts";
import type { Steps, Turns } from "./turns.ts";
import { validateBatch, type ReceivedBatch } from "./validate-batch.ts";

/** Responses of a route with a status. */
export interface RequestCount {
  readonly route: string;
  readonly status: number;
  count: number;
}

/** Counts of responses, one for each route and status. */
type RequestCounts = Map<string, RequestCount>;

/** Counts a response. */
export function countRequest(counts: RequestCounts, route: string, status: number): void {
  const key = `${status} ${route}`;
  const entry = counts.get(key) ?? { route, status, count: 0 };
  entry.count++;
  counts.set(key, entry);
}

/**
 * Stores a new batch, and counts a repeated one. In a transaction: two deliveries of one batch at the same
 * time are one.
 *
 * @param batch - Absent when the batch was known before its events were read.
 */
function* receiveOnce(
  { database, review }: Store,
  { organizationId, batchId }: BatchEnvelope,
  batch: ReceivedBatch | undefined,
  delivery: Delivery,
): Steps<BatchAck> {
  const known = findDelivered(database, organizationId, batchId, delivery.contentHash);
  if (known === "conflict") {
    const detail = "a batch with this id and other content has been received";
    throw new ProblemError("batch_conflict", detail);
  }
  if (known) {
    noteRedelivery(database, { organizationId, batchId }, known, delivery.receivedAt);
    return known;
  }
  // Nothing is ever removed from the database, so a known batch still exists.
  if (!batch) throw new Error("a batch that was stored is gone");
  return yield* addBatch(database, batch, delivery, review);
}

/** Context of every route. */
export interface PlatformContext {
  readonly options: ResolvedOptions;
  readonly store: Store;
  /** Runs long work in turns. */
  readonly turns: Turns;
  readonly authenticator: Authenticator;
  readonly signIn: SignIn;
  /** Customers under their pseudonyms; absent where everybody may know their ids. */
  readonly customers?: Customers | undefined;
  readonly outgoing: MessageSender;
  readonly decrypt: Decrypt;
  /** Bounds all request bodies together. */
  readonly bodies: BodyBudget;
  readonly requests: RequestCounts;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Converts the telemetry of OpenTelemetry's exporters to events. */
  readonly mapper: EventMapper;
  /** Time that retention goes by. */
  readonly steadyTime: SteadyTime;
  /** Faults that tests set; absent where the platform takes none. */
  readonly faults?: Faults | undefined;
  /** Tries packs on what is stored. */
  readonly backTests: BackTests;
}

/** Receives a batch: `POST /v1/batches`. */
export async function receiveBatch(
  { options, store, turns, authenticator, decrypt }: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = context.req.raw;
  const organizationId = authenticator.authenticateDelivery(request);
  const maxBytes = options.maxBodyBytes;
  const body = await readJsonBody(request, { maxBytes, lease, turns, decrypt });
  const { envelope, array } = readEnvelope(body, request.headers, organizationId);
  const { batchId } = envelope;
  const contentHash = createHash("sha256").update(body.bytes).digest("hex");
  const known = findDelivered(store.database, organizationId, batchId, contentHash);
  const batch = known ? undefined : await turns.take(validateBatch(envelope, body, array));
  const { wireBytes, encoding } = body;
  const ack = await store.writeShared(() => {
    const receivedAt = options.clock.now();
    const delivery = { contentHash, receivedAt, wireBytes, encoding };
    return receiveOnce(store, envelope, batch, delivery);
  });
  if (ack.status === "duplicate") return context.json(ack, 200);
  options.logger.info(
    `batch ${batchId}: ${ack.accepted} accepted, ${countNoun(ack.duplicates, "duplicate")}, ${ack.rejected.length} rejected`,
  );
  return context.json(ack, 202);
}

/** Receives an agent's profile: `PUT /v1/agents/{id}`. */
export async function receiveAgent(
  { options, store, turns, authenticator }: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = context.req.raw;
  const organizationId = authenticator.authenticateDelivery(request);
  const body = await readJsonBody(request, { maxBytes: options.maxBodyBytes, lease, turns });
  const agent = readAgent(body, context.req.url);
  const now = options.clock.now();
  // oxlint-disable-next-line require-yield -- one statement, done in one turn
  const { isNew, changed } = await store.write(function* () {
    return putAgent(store.database, organizationId, agent, now);
  });
  options.logger.info(`agent ${agent.id}: ${isNew ? "registered" : "updated"}`);
  if (changed.length > 0) {
    const before = `this version was registered before with another profile (${changed.join(", ")})`;
    options.logger.warn(`agent ${agent.id}: ${before}; both are kept`);
  }
  return context.json(agent, isNew ? 201 : 200);
}
