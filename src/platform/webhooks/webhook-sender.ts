import type { Clock } from "../../util/clock.ts";
import { sleep } from "../../util/clock.ts";
import { toErrorName } from "../../util/logger.ts";
import type { Logger } from "../../events/utility.ts";
import type { Store } from "../store/store.ts";
import {
  announceOverdue,
  endMessage,
  findDueMessage,
  postponeMessage,
  trimMessages,
  type WebhookMessage,
} from "../store/webhook-store.ts";
import { signWebhook } from "./sign-webhook.ts";
import type { Webhook } from "./webhook-options.ts";

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

/** What became of messages since the platform started. */
export interface WebhookCounts {
  delivered: number;
  /** Attempts that failed. */
  failed: number;
  /** Messages given up: too many wait, or for too long. */
  dropped: number;
}

/** What the sender works with. */
interface SenderOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Sends a message once; returns why it has failed. */
async function send(
  { url, secret }: Webhook,
  message: WebhookMessage,
  now: number,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signWebhook(message, secret, now) },
      body: message.body,
      // The signature is for this receiver.
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_MILLIS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `status ${response.status}`;
  } catch (error) {
    return toErrorName(error);
  }
}

/** Runs a few statements between other writes: uncommitted rows are nothing to send. */
type InTurn = <Result>(work: () => Result) => Promise<Result>;

/** Who runs, and with what. */
interface Running extends SenderOptions {
  readonly counts: WebhookCounts;
  readonly inTurn: InTurn;
  readonly signal: AbortSignal;
}

/** Writes down what became of a message. */
async function settle(
  { store, clock, counts, inTurn }: Running,
  message: WebhookMessage,
  failure: string | undefined,
): Promise<void> {
  const now = clock.now();
  const wait = WAITS[Math.min(message.attempts, WAITS.length - 1)] ?? HOUR;
  const isOver = now + wait - message.createdAt > LONGEST_AGE;
  await inTurn(() =>
    failure === undefined || isOver
      ? endMessage(store.database, message.seq)
      : postponeMessage(store.database, message, now + wait),
  );
  if (failure === undefined) counts.delivered++;
  else counts.failed++;
  if (failure !== undefined && isOver) counts.dropped++;
}

/** Sends what is due to a receiver, one after the other; with a pause after each failure. */
async function serve(running: Running, webhook: Webhook): Promise<void> {
  const { store, clock, logger, inTurn, signal } = running;
  const { host } = new URL(webhook.url);
  let failures = 0;
  while (!signal.aborted) {
    const message = await inTurn(() => findDueMessage(store.database, webhook.url, clock.now()));
    if (!message) {
      await sleep(clock, IDLE_MILLIS, signal);
      continue;
    }
    const failure = await send(webhook, message, clock.now());
    await settle(running, message, failure);
    failures = failure === undefined ? 0 : failures + 1;
    if (failures === 1) logger.warn(`webhook to ${host}: ${failure}; it is sent again`);
    if (failures > 0) await sleep(clock, Math.min(MAX_PAUSE, SECOND * 2 ** failures), signal);
  }
}

/** Looks each minute for what is overdue, and keeps the outbox within its bound. */
async function watch({ store, clock, counts, inTurn, signal }: Running): Promise<void> {
  const { announcing } = store.review;
  while (!signal.aborted) {
    await inTurn(() => {
      announceOverdue(store.database, announcing, clock.now());
      counts.dropped += trimMessages(store.database, announcing.webhooks, MAX_WAITING);
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
      logger.error(`webhooks: ${toErrorName(error)}`);
      await sleep(clock, MAX_PAUSE, signal);
    }
  }
}

/**
 * Delivers the messages of the outbox, each receiver's by itself: at least once, until it has said 2xx.
 *
 * Nothing waits for it: a receiver that is dead has messages waiting, and no more.
 */
export function startWebhookSender(options: SenderOptions) {
  const { store } = options;
  const { webhooks } = store.review.announcing;
  const counts: WebhookCounts = { delivered: 0, failed: 0, dropped: 0 };
  const stop = new AbortController();
  const inTurn: InTurn = (work) =>
    // oxlint-disable-next-line require-yield -- a few statements, done in one turn
    store.write(function* () {
      return work();
    });
  const running: Running = { ...options, counts, inTurn, signal: stop.signal };
  const works = webhooks.map((webhook) => () => serve(running, webhook));
  const loops = webhooks.length === 0 ? [] : [() => watch(running), ...works];
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

/** Delivers webhooks. */
export type WebhookSender = ReturnType<typeof startWebhookSender>;
