import type { Clock } from "../../util/clock.ts";

/** What a fault does to a delivery: refuses it for now, fails, delays it, or closes the connection. */
export const FAULT_KINDS = ["429", "503", "slow", "reset"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A fault as it is set. */
export interface FaultOrder {
  readonly kind: FaultKind;
  /** Number of requests that it meets, 1 to 1,000. */
  readonly count: number;
  /** `Retry-After` of 429 and 503, delay of `slow`. */
  readonly seconds: number;
  /** Only requests to this path; absent: all deliveries. */
  readonly path?: string | undefined;
}

/** A fault that is set. */
export interface Fault extends FaultOrder {
  readonly id: number;
  /** Requests that it will still meet. */
  readonly left: number;
  readonly setBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly setAt: number;
  /** When it ends, whatever is left of it. */
  readonly endsAt: number;
}

const MAX_FAULTS = 20;
/** A fault that was forgotten must not stay. */
const LIFE_MILLIS = 15 * 60_000;

/** Creates the faults of a platform, for tests of what sends to it; in memory alone. */
export function createFaults(clock: Pick<Clock, "now">) {
  let set: readonly Fault[] = [];
  let lastId = 0;
  const list = (): readonly Fault[] => {
    const now = clock.now();
    return (set = set.filter(({ left, endsAt }) => left > 0 && endsAt > now));
  };
  return {
    /** Lists the faults that are set, in the order in which they meet requests. */
    list,
    /** Sets a fault; `undefined` when there are too many. */
    add(order: FaultOrder, setBy: string): Fault | undefined {
      if (list().length >= MAX_FAULTS) return undefined;
      const setAt = clock.now();
      const fault = { ...order, id: ++lastId, left: order.count, setBy, setAt };
      set = [...set, { ...fault, endsAt: setAt + LIFE_MILLIS }];
      return set.at(-1);
    },
    /** Takes all faults away; returns how many there were. */
    clear(): number {
      const { length } = list();
      set = [];
      return length;
    },
    /** Returns the fault that meets a request, and counts it. */
    meet(path: string): FaultOrder | undefined {
      const found = list().find((fault) => fault.path === undefined || fault.path === path);
      set = set.map((fault) => (fault === found ? { ...fault, left: fault.left - 1 } : fault));
      return found;
    },
  };
}

/** The faults of a platform. */
export type Faults = ReturnType<typeof createFaults>;
