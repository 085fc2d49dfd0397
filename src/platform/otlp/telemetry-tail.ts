import type { BurstLogger } from "../../util/logger.ts";
import { listBetween, type TelemetryLimits } from "../store/bounded-rows.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { StoredArrival } from "../store/telemetry-arrivals.ts";
import type { HeldPosition, TelemetryPosition } from "../store/telemetry-position.ts";
import type { Steps } from "../turns.ts";
import { EventMapper, type Place } from "./event-mapper.ts";
import { readLogRecord, readSpan } from "./stored-json.ts";
import { createVirtualClock } from "./virtual-clock.ts";

/**
 * Bounds of what is stored behind the first item that waits for more of its trace: that trace then waits no longer. Half of what
 * is kept, so that what waits is not removed.
 */
const LIMITS_BEHIND = { maxRows: 100_000, maxBytes: 128 * 1024 * 1024 };

/** Events of one organization, each as JSON. */
export interface MadeEvents {
  readonly organizationId: string;
  readonly events: string[];
}

/**
 * Makes events of what is stored, in the order of arrival.
 *
 * What it makes depends on the stored items, the times at which they were stored and how far its clock was moved, and on nothing
 * else: another one that reads the same goes on where this one was.
 */
export class TelemetryTail {
  readonly #database: SqlDatabase;
  readonly #limits: TelemetryLimits;
  readonly #clock = createVirtualClock();
  readonly #mapper: EventMapper;
  #made = new Map<string, MadeEvents>();
  #madeCount = 0;
  #readSeq = 0;
  #rows = 0;
  #bytes = 0;
  /** Whether it has come to where events are new. */
  #isLive = false;

  constructor(database: SqlDatabase, log: BurstLogger, limits: TelemetryLimits = LIMITS_BEHIND) {
    this.#database = database;
    this.#limits = limits;
    this.#mapper = new EventMapper({
      clock: this.#clock,
      log: {
        log: (...line) => (this.#isLive ? log.log(...line) : undefined),
        flush: () => log.flush(),
      },
      onEvent: (organizationId, json) => this.#add(organizationId, json),
    });
  }

  /** How far it has come. */
  get position(): TelemetryPosition {
    const oldest = this.#mapper.oldest;
    return {
      readSeq: this.#readSeq,
      readClock: this.#clock.now(),
      doneSeq: oldest ? oldest.seq - 1 : this.#readSeq,
    };
  }

  /** When something is to be done next, if nothing comes before; infinity for never. */
  get nextDue(): number {
    return this.#clock.nextDue;
  }

  /** Events that were made and not taken. */
  get madeCount(): number {
    return this.#madeCount;
  }

  /** Returns the events that were made since the last call. */
  takeMade(): readonly MadeEvents[] {
    const made = [...this.#made.values()];
    this.#made = new Map();
    this.#madeCount = 0;
    return made;
  }

  /** Reads what was stored together, behind what was read before. */
  *read(arrival: StoredArrival): Steps<void> {
    const { seq, organizationId, source, firstSeq, lastSeq, storedAt } = arrival;
    yield* this.#clock.advance(storedAt);
    const place = { seq, rows: this.#rows, bytes: this.#bytes };
    const oddValues = new Map(arrival.oddValues);
    for (let last = firstSeq - 1; last < lastSeq;) {
      const rows = yield* listBetween(this.#database, source, { seq: last }, lastSeq);
      for (const row of rows) {
        yield;
        const odd = oddValues.get(row.seq);
        if (source === "span")
          this.#mapper.takeSpan(organizationId, readSpan(row.json, odd), place);
        else this.#mapper.takeRecord(organizationId, readLogRecord(row.json, odd), place);
      }
      // Older ones may be gone where it only remembers what was.
      last = rows.at(-1)?.seq ?? lastSeq;
    }
    this.#rows += lastSeq - firstSeq + 1;
    this.#bytes += arrival.bytes;
    this.#readSeq = seq;
    this.#mapper.releaseOldest((oldest) => this.#isFarBehind(oldest));
  }

  /** Moves the time on, which nothing arrives before any more. */
  pass(to: number): Steps<void> {
    return this.#clock.advance(to);
  }

  /**
   * Goes on from a position up to which it has read: the events up to there are stored.
   *
   * What waited there still waits; what did not, and only seems to since its beginning was not read again, does not.
   */
  *goOn({ readSeq, readClock, doneSeq }: HeldPosition): Steps<void> {
    yield* this.pass(readClock);
    this.#readSeq = readSeq;
    if (doneSeq === readSeq) this.#mapper.drain();
    else this.#mapper.releaseUpTo(doneSeq);
    this.#isLive = true;
  }

  /** Makes the events of all that waits, as much of it as has come. */
  drain(): void {
    this.#mapper.drain();
  }

  #isFarBehind({ rows, bytes }: Place): boolean {
    const { maxRows, maxBytes } = this.#limits;
    return this.#rows - rows > maxRows || this.#bytes - bytes > maxBytes;
  }

  #add(organizationId: string, json: string): void {
    if (!this.#isLive) return;
    const made = this.#made.get(organizationId) ?? { organizationId, events: [] };
    made.events.push(json);
    this.#made.set(organizationId, made);
    this.#madeCount++;
  }
}
