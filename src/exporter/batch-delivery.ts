import type { SendBatch } from "./batch-sender.ts";
import type { PendingEvent } from "./pending-event.ts";

/** An event that the platform will never take. */
export interface DeadEvent {
  readonly event: PendingEvent;
  readonly reason: string;
}

/** What became of the events of one delivery. */
export interface DeliveryOutcome {
  /**
   * `done`: every event is settled. Else the events behind the settled ones stay where they are:
   * `exhausted`, no retry is left; `blocked`, nothing is taken at all; `refused`, every part was refused,
   * which speaks against the stream rather than against its events.
   */
  readonly status: "done" | "exhausted" | "refused" | "blocked";
  readonly reason: string;
  /** Number of events, from the oldest, that were taken or are dead. */
  readonly settledCount: number;
  readonly dead: readonly DeadEvent[];
  /** Settled events that the platform had already. */
  readonly duplicates: number;
}

type Result = Awaited<ReturnType<SendBatch>>;
type Accepted = Extract<Result, { status: "accepted" }>;
type NotAccepted = Exclude<Result, Accepted>;

const STATUS_OF = { retryable: "exhausted", refused: "refused", blocked: "blocked" } as const;

/** A bisection ends when so many refusals have come without any part being taken. */
function maxFruitlessRefusals(eventCount: number): number {
  return 2 * Math.ceil(Math.log2(eventCount)) + 2;
}

function splitInHalf(events: readonly PendingEvent[]): PendingEvent[][] {
  const middle = Math.ceil(events.length / 2);
  return [events.slice(0, middle), events.slice(middle)];
}

function toDeadEvents(events: readonly PendingEvent[], { rejected }: Accepted): DeadEvent[] {
  // By index, so that an answer that names an event twice does not count it twice.
  const reasons = new Map(rejected.map(({ index, code }) => [index, code]));
  return Array.from(reasons, ([index, reason]) => ({ event: events[index], reason })).filter(
    (dead): dead is DeadEvent => dead.event !== undefined,
  );
}

/** What is known while a refused batch is sent in parts. */
class Bisection {
  readonly #parts: PendingEvent[][];
  readonly #dead: DeadEvent[] = [];
  readonly #maxFruitless: number;
  #doneCount = 0;
  #duplicates = 0;
  #isAnyTaken = false;
  /** The refusal of the whole is the first. */
  #refusals = 1;

  constructor(whole: readonly PendingEvent[]) {
    this.#parts = splitInHalf(whole);
    this.#maxFruitless = maxFruitlessRefusals(whole.length);
  }

  /** Gives the next part, from the oldest; `undefined` when none is left, or when going on is in vain. */
  next(): PendingEvent[] | undefined {
    const isInVain = !this.#isAnyTaken && this.#refusals > this.#maxFruitless;
    return isInVain ? undefined : this.#parts.shift();
  }

  take(part: readonly PendingEvent[], result: Accepted): void {
    this.#isAnyTaken = true;
    this.#doneCount += part.length;
    this.#duplicates += result.duplicates;
    this.#dead.push(...toDeadEvents(part, result));
  }

  refuse(part: readonly PendingEvent[], reason: string): void {
    this.#refusals++;
    const [only] = part;
    if (part.length > 1) this.#parts.unshift(...splitInHalf(part));
    else if (only) {
      this.#dead.push({ event: only, reason });
      this.#doneCount++;
    }
  }

  end(status: DeliveryOutcome["status"], reason: string): DeliveryOutcome {
    // While nothing has been taken, a refused event may be as good as any other: none is settled yet.
    if (!this.#isAnyTaken) return toOutcome(status === "done" ? "refused" : status, reason);
    return {
      status,
      reason,
      settledCount: this.#doneCount,
      dead: this.#dead,
      duplicates: this.#duplicates,
    };
  }
}

function toOutcome(status: DeliveryOutcome["status"], reason: string): DeliveryOutcome {
  return { status, reason, settledCount: 0, dead: [], duplicates: 0 };
}

async function bisect(
  sendBatch: SendBatch,
  whole: readonly PendingEvent[],
  firstRefusal: NotAccepted,
  retryAttempts: number,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const bisection = new Bisection(whole);
  let { reason } = firstRefusal;
  for (let part = bisection.next(); part; part = bisection.next()) {
    const result = await sendBatch(part, retryAttempts, signal);
    if (result.status === "accepted") {
      bisection.take(part, result);
    } else if (result.status === "refused") {
      ({ reason } = result);
      bisection.refuse(part, reason);
    } else {
      return bisection.end(STATUS_OF[result.status], result.reason);
    }
  }
  return bisection.end("done", reason);
}

/**
 * Delivers one batch; one that is refused is sent in ever smaller parts, so that one bad event never takes
 * the others along.
 */
export async function deliverBatch(
  sendBatch: SendBatch,
  events: readonly PendingEvent[],
  retryAttempts: number,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const result = await sendBatch(events, retryAttempts, signal);
  if (result.status === "accepted") {
    return {
      status: "done",
      reason: "",
      settledCount: events.length,
      dead: toDeadEvents(events, result),
      duplicates: result.duplicates,
    };
  }
  if (result.status === "refused" && events.length > 1) {
    return bisect(sendBatch, events, result, retryAttempts, signal);
  }
  return toOutcome(STATUS_OF[result.status], result.reason);
}
