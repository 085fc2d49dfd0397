import type { Clock } from "../../util/clock.ts";
import { sleep } from "../../util/clock.ts";
import { toErrorName } from "../../util/logger.ts";
import type { Logger } from "../../events/utility.ts";
import type { Store } from "../store/store.ts";
import {
  dropOthers,
  endMessage,
  claimDueMessage,
  MESSAGE_KINDS,
  type MessageKind,
  type OutgoingMessage,
  postponeMessage,
  type Receiver,
  trimMessages,
} from "../store/outgoing-store.ts";
import { announceOverdue } from "../store/webhook-store.ts";
import type { Steps } from "../turns.ts";
import type { Transaction } from "../store/sql-database.ts";

/** Where messages go, and how they are sent there. */
export interface Destination extends Receiver {
  /** Returns the headers of a message that is sent now, beside its content type. */
  readonly toHeaders: (
    message: Pick<OutgoingMessage, "body" | "id">,
    now: number,
  ) => Readonly<Record<string, string>>;
  /** Statuses that mean that the same message will never be taken. */
  readonly finalStatuses?: readonly number[];
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Time until the next attempt after each; with the last one a message is given up after about three days. */
const WAITS = [5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
const LONGEST_AGE = 72 * HOUR;
const IDLE_MILLIS = SECOND;
const REQUEST_MILLIS = 15 * SECOND;
/** Longest pause of a receiver that fails. */
const MAX_PAUSE = MINUTE;
/** Messages that may wait for a receiver. */
const MAX_WAITING = 10_000;

/** What became of messages of a kind since the platform started. */
interface MessageCounts {
  delivered: number;
  /** Attempts that failed. */
  failed: number;
  /** Messages given up: too many wait, or for too long. */
  dropped: number;
}

/** What the sender works with. */
interface SenderOptions {
  readonly store: Store;
  readonly destinations: readonly Destination[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Why a message has not arrived. */
interface Failure {
  readonly reason: string;
  /** Whether it would be of no use to send it again. */
  readonly isFinal: boolean;
}

/** Sends a message once; returns why it has failed. */
async function send(
  { url, toHeaders, finalStatuses = [] }: Destination,
  message: OutgoingMessage,
  now: number,
): Promise<Failure | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...toHeaders(message, now) },
      body: message.body,
      // Signatures and keys are for this receiver.
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_MILLIS),
    });
    await response.body?.cancel();
    const { ok, status } = response;
    return ok ? undefined : { reason: `status ${status}`, isFinal: finalStatuses.includes(status) };
  } catch (error) {
    return { reason: toErrorName(error), isFinal: false };
  }
}

/** Runs a few statements between other writes: uncommitted rows are nothing to send. */
type InTurn = Store["write"];

/** Who runs, and with what. */
interface Running extends SenderOptions {
  readonly counts: Readonly<Record<MessageKind, MessageCounts>>;
  readonly inTurn: InTurn;
  readonly signal: AbortSignal;
}

/** Writes down what became of a message. */
async function settle(
  { clock, inTurn }: Running,
  counts: MessageCounts,
  message: OutgoingMessage,
  failure: Failure | undefined,
): Promise<void> {
  const now = clock.now();
  const wait = WAITS[Math.min(message.attempts, WAITS.length - 1)] ?? HOUR;
  const isOver = failure?.isFinal === true || now + wait - message.createdAt > LONGEST_AGE;
  await inTurn((transaction) =>
    failure === undefined || isOver
      ? endMessage(transaction, message.seq)
      : postponeMessage(transaction, message, now + wait),
  );
  if (failure === undefined) counts.delivered++;
  else counts.failed++;
  if (failure !== undefined && isOver) counts.dropped++;
}

/** Sends what is due to a destination, one after the other; with a pause after each failure. */
async function serve(running: Running, destination: Destination): Promise<void> {
  const { clock, logger, inTurn, signal, counts } = running;
  const { kind, url } = destination;
  const { host } = new URL(url);
  let failures = 0;
  while (!signal.aborted) {
    const message = await inTurn((transaction) =>
      claimDueMessage(transaction, destination, clock.now()),
    );
    if (!message) {
      await sleep(clock, IDLE_MILLIS, signal);
      continue;
    }
    const failure = await send(destination, message, clock.now());
    await settle(running, counts[kind], message, failure);
    failures = failure === undefined ? 0 : failures + 1;
    const next = failure?.isFinal === true ? "it is given up" : "it is sent again";
    if (failures === 1) logger.warn(`${kind} to ${host}: ${failure?.reason}; ${next}`);
    if (failures > 0) await sleep(clock, Math.min(MAX_PAUSE, SECOND * 2 ** failures), signal);
  }
}

/** Keeps the outbox within its bound. In a transaction. */
function* trim(transaction: Transaction, { destinations, counts }: Running): Steps<void> {
  for (const kind of MESSAGE_KINDS)
    counts[kind].dropped += yield* dropOthers(transaction, kind, destinations);
  for (const destination of destinations)
    counts[destination.kind].dropped += yield* trimMessages(transaction, destination, MAX_WAITING);
}

/** Looks each minute for what is overdue, and keeps the outbox within its bound. */
async function watch(running: Running): Promise<void> {
  const { store, clock, inTurn, signal } = running;
  const { announcing } = store.review;
  while (!signal.aborted) {
    await inTurn(function* (transaction) {
      if (announcing.webhooks.length > 0)
        yield* announceOverdue(transaction, announcing, clock.now());
      yield* trim(transaction, running);
    });
    await sleep(clock, MINUTE, signal);
  }
}

/** Goes on after a failure of the store: its disk may be full for a time. */
async function persist(
  { clock, logger, signal }: Running,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      logger.error(`messages to receivers: ${toErrorName(error)}`);
      await sleep(clock, MAX_PAUSE, signal);
    }
  }
}

const toCounts = (): MessageCounts => ({ delivered: 0, failed: 0, dropped: 0 });

/**
 * Delivers the messages of the outbox, those for each destination by themselves: at least once, until it has said 2xx.
 *
 * Nothing waits for it: a destination that is dead has messages waiting, and no more.
 */
export function startMessageSender(options: SenderOptions) {
  const { store, destinations } = options;
  const counts = { webhook: toCounts(), evaluation: toCounts() };
  const stop = new AbortController();
  const running: Running = { ...options, counts, inTurn: store.write, signal: stop.signal };
  const works = destinations.map((destination) => () => serve(running, destination));
  const loops = destinations.length === 0 ? [] : [() => watch(running), ...works];
  const ended = loops.map((work) => persist(running, work));
  return {
    counts,
    /** Ends after the attempts under way. */
    async close(): Promise<void> {
      stop.abort();
      await Promise.all(ended);
    },
  };
}

/** Delivers messages to receivers outside. */
export type MessageSender = ReturnType<typeof startMessageSender>;
