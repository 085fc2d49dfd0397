import type { JudgedPlan } from "../../fixtures/faults/judged.ts";
import type { LifePlan } from "../../fixtures/faults/life.ts";
import type { SinkAnswer } from "../../helpers/sink.ts";
import { CHAIN_KEY, QUOTE, SPOOL_KEY } from "./spool-cases.ts";

/** A step of a process in the spool directory or on the network, at which it is killed. */
export interface CrashPoint {
  readonly side: "before" | "after";
  readonly step: string;
  /** The first is 1. */
  readonly occurrence: number;
}

/** What must have happened when a process is killed. */
export interface SpoolEnd {
  /** A report of the process. */
  readonly report?: string;
  /** Requests to the platform. */
  readonly requests?: number;
  /** Calls of the judge's model. */
  readonly calls?: number;
  readonly crash?: CrashPoint;
}

/** A process that writes to a spool directory, and what becomes of it. */
export interface SpoolLife {
  /** A program of `test/fixtures/faults`. Default: `life`. */
  readonly program?: "life" | "judged" | "two-monitors" | "early";
  readonly plan: Partial<Omit<LifePlan, "monitor"> | Omit<JudgedPlan, "monitor">>;
  readonly monitor?: LifePlan["monitor"];
  /** What the platform answers, one batch after another; behind that it hangs. */
  readonly answers?: readonly SinkAnswer[];
  /** When it is killed; without anything it ends by itself. */
  readonly end: SpoolEnd;
}

/** Damage that a disk does. */
export interface SpoolDamage {
  /** Bytes that each file of events loses at its end. */
  readonly cut?: number;
  /** A text of which a byte is flipped. */
  readonly flip?: string;
}

/** How a spool directory comes to be. */
export interface SpoolStory {
  readonly lives: readonly SpoolLife[];
  readonly damage?: SpoolDamage;
}

const TAKEN = undefined;
const COUNT = 6;
const CHAINED = { chainKey: CHAIN_KEY };
const ENCRYPTED = { spoolKey: SPOOL_KEY };

const TRACKED: SpoolLife = { plan: { count: COUNT, end: "stay" }, end: { report: "tracked" } };

const toFlushing = (name: string, count = COUNT): Partial<LifePlan> => ({
  name,
  count,
  flushEvery: count,
  end: "shutdown",
});

const toUnderWay = (monitor: LifePlan["monitor"] = {}): SpoolLife => ({
  plan: toFlushing("life"),
  monitor: { batchSize: 2, ...monitor },
  answers: [TAKEN],
  end: { requests: 2 },
});

const toCrash = (
  side: CrashPoint["side"],
  step: string,
  life: SpoolLife,
  occurrence = 1,
): SpoolLife => ({
  ...life,
  answers: Array<SinkAnswer>(COUNT).fill(TAKEN),
  end: { crash: { side, step, occurrence } },
});

const DELIVERING: SpoolLife = {
  plan: toFlushing("life"),
  monitor: { batchSize: 3 },
  answers: [TAKEN, TAKEN],
  end: { report: "flushed" },
};

const toEarly = (monitor: LifePlan["monitor"] = {}): SpoolLife => ({
  program: "early",
  plan: {},
  monitor,
  end: {},
});

const toJudged = (monitor: LifePlan["monitor"] = {}): SpoolLife => ({
  program: "judged",
  plan: {
    count: 2,
    question: "Is the fund safe?",
    answer: `You ${QUOTE} in the fund.`,
    judge: { gate: "findings", sampleRate: 0 },
    end: "stay",
  },
  monitor,
  end: { report: "tracked", calls: 1 },
});

const REJECTED = {
  status: 202,
  body: { rejected: [{ index: 1, code: "invalid_event", detail: "refused" }] },
};

/** How the directory of each case comes to be, by its name. */
export const SPOOL_STORIES: Readonly<Record<string, SpoolStory>> = {
  tracked: { lives: [TRACKED] },
  "under-way": { lives: [toUnderWay()] },
  acknowledged: { lives: [{ ...DELIVERING, plan: { ...DELIVERING.plan, end: "stay" } }] },
  planned: { lives: [toCrash("before", "request", DELIVERING)] },
  answered: { lives: [toCrash("after", "answer end", DELIVERING)] },
  // Its own record and that of its directory are renamed before it claims another one.
  claimed: {
    lives: [
      TRACKED,
      toCrash("after", "renameSync", { ...DELIVERING, plan: toFlushing("heir", 1) }, 3),
    ],
  },
  adopted: {
    lives: [
      TRACKED,
      {
        plan: toFlushing("heir", 3),
        monitor: { batchSize: 2 },
        answers: [TAKEN, TAKEN],
        end: { requests: 3 },
      },
    ],
  },
  ended: { lives: [{ ...DELIVERING, end: {} }] },
  chained: { lives: [toUnderWay(CHAINED)] },
  encrypted: { lives: [toUnderWay(ENCRYPTED)] },
  torn: { lives: [TRACKED], damage: { cut: 20 } },
  damaged: { lives: [toUnderWay()], damage: { flip: "life-4" } },
  refused: { lives: [{ ...toUnderWay(), answers: [REJECTED] }] },
  split: {
    lives: [
      {
        plan: toFlushing("life", 8),
        monitor: { batchSize: 4 },
        answers: [{ status: 400 }, TAKEN, { status: 400 }],
        end: { requests: 4 },
      },
    ],
  },
  organizations: {
    lives: [
      { program: "two-monitors", plan: { count: 2, end: "kill" }, end: { report: "tracked" } },
    ],
  },
  early: { lives: [toEarly()] },
  "early-encrypted": { lives: [toEarly(ENCRYPTED)] },
  tasks: { lives: [toJudged()] },
  "tasks-encrypted": { lives: [toJudged(ENCRYPTED)] },
};
