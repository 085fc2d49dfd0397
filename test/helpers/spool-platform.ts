import type { VerifiableBatch } from "../../src/delivery/chain/chain.ts";
import type { EventBatch } from "../../src/events/batch.ts";
import type { Script, SeenRequest } from "./exporter.ts";

/** What a platform of the model may answer. */
export const MOODS = [
  "healthy",
  "partial",
  "strict",
  "small",
  "busy",
  "down",
  "unauthorized",
  "lost_answer",
  "hanging",
] as const;
export type Mood = (typeof MOODS)[number];

/** A body above it is refused by a platform whose mood is `small`. */
const SMALL_BYTES = 3000;

interface StoredEvent {
  readonly eventId: string;
  readonly writerId: string;
  readonly sequence: number;
}

/** A platform that stores what it takes, and checks what every sender must hold to. */
export interface SpoolPlatform {
  mood: Mood;
  /** What a transport asks. */
  readonly script: Script;
  /** Ids of the events that are stored. */
  readonly events: ReadonlySet<string>;
  /** Ids of events that were rejected one by one. */
  readonly rejected: ReadonlySet<string>;
  /** What a sender must not do, as far as it was done. */
  readonly violations: readonly string[];
  /** First deliveries that came behind later ones, of batches that were never refused. */
  readonly late: readonly string[];
  /** Every batch that was taken, once. */
  readonly batches: readonly VerifiableBatch[];
}

function eventsOf(batch: EventBatch): StoredEvent[] {
  return batch.events as unknown as StoredEvent[];
}

/** Creates a platform; some events it never takes. */
export function createSpoolPlatform(isBad: (eventId: string) => boolean): SpoolPlatform {
  const texts = new Map<string, string>();
  const batches: VerifiableBatch[] = [];
  const taken = new Set<string>();
  const refused = new Set<string>();
  const events = new Set<string>();
  const rejected = new Set<string>();
  const newest = new Map<string, number>();
  const violations: string[] = [];
  const late: string[] = [];
  /** When, in requests, an event was seen last, and a batch of new events came that was taken. */

  const checkOrder = (batch: EventBatch): void => {
    const isLate = refused.has(batch.batchId) || batch.metadata?.chain?.replaces !== undefined;
    for (const { eventId, writerId, sequence } of eventsOf(batch)) {
      if (isLate || events.has(eventId) || rejected.has(eventId)) continue;
      if (sequence <= (newest.get(writerId) ?? 0)) late.push(`event ${sequence}`);
      newest.set(writerId, sequence);
    }
  };

  const store = (request: SeenRequest, isPartial: boolean): number[] => {
    const { batch, text } = request;
    checkOrder(batch);
    if (!taken.has(batch.batchId)) {
      const eventsJson = /"events":(\[.*\]),"eventCount"/s.exec(text)?.[1] ?? "";
      batches.push({ batch, eventsJson: Buffer.from(eventsJson) });
    }
    taken.add(batch.batchId);
    const bad: number[] = [];
    for (const [index, { eventId }] of eventsOf(batch).entries()) {
      const isTaken = !isPartial || !isBad(eventId);
      (isTaken ? events : rejected).add(eventId);
      if (!isTaken) bad.push(index);
    }
    return bad;
  };

  const isRefused = ({ batch, body }: SeenRequest): number | undefined => {
    if (platform.mood === "small" && body.length > SMALL_BYTES && batch.events.length > 1)
      return 413;
    const hasBad = eventsOf(batch).some(({ eventId }) => isBad(eventId));
    return platform.mood === "strict" && hasBad ? 400 : undefined;
  };

  const answer = (request: SeenRequest): ReturnType<Script> => {
    switch (platform.mood) {
      case "busy":
        return { status: 429, headers: { "retry-after": "45" } };
      case "down":
        return 503;
      case "unauthorized":
        return 401;
      case "hanging":
        return "hang";
      default:
    }
    const { batchId } = request.batch;
    const status = taken.has(batchId) ? undefined : isRefused(request);
    if (status !== undefined) {
      refused.add(batchId);
      return status;
    }
    const isKnown = taken.has(batchId);
    const bad = store(request, platform.mood === "partial");
    if (platform.mood === "lost_answer") return "failure";
    const list = bad.map((index) => ({ index, code: "invalid_event" }));
    return { status: isKnown ? 200 : 202, body: JSON.stringify({ rejected: list }) };
  };

  const platform: SpoolPlatform = {
    mood: "healthy",
    events,
    rejected,
    violations,
    late,
    batches,
    script(request) {
      const key = request.headers["idempotency-key"] ?? "";
      if (key !== `"${request.batch.batchId}"`) violations.push("the key is not the batch id");
      if ((texts.get(key) ?? request.text) !== request.text)
        violations.push("one id stands for two texts");
      texts.set(key, request.text);
      return answer(request);
    },
  };
  return platform;
}
