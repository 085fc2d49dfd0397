import { resolve } from "node:path";
import { uuidV7 } from "../../util/ids.ts";
import type { Journal } from "../batch-queue.ts";
import { createOutboxState } from "../outbox-state.ts";
import type { SpoolStats, Storage, StorageOptions } from "../storage.ts";
import { Adoption } from "./adoption.ts";
import { DeadLetterBox } from "./dead-letters.ts";
import { leaveEnd } from "./ended-writers.ts";
import { nodeFileSystem, toErrorCode } from "./file-system.ts";
import { toCipherOf } from "./frame-file.ts";
import { SpoolJournal } from "./journal.ts";
import { readMachine } from "./machine.ts";
import { createSegments } from "./segment-set.ts";
import {
  createOutbox,
  SpoolBudget,
  type SpoolContext,
  type SpoolOptions,
} from "./spool-context.ts";
import { SpoolStore } from "./spool-store.ts";
import { createWriterHome } from "./writer-home.ts";
import { removeWriterDirectory } from "./writers.ts";

function createContext(options: SpoolOptions): SpoolContext {
  const { fs = nodeFileSystem, log, spoolKey } = options;
  const files = {
    fs,
    spoolDirectory: resolve(options.spoolDirectory),
    isPowerSafe: options.durability === "power",
    cipherOf: toCipherOf(spoolKey),
  };
  const context: SpoolContext = {
    ...options,
    ...files,
    budget: new SpoolBudget(options.maxSpoolBytes),
    deadLetters: new DeadLetterBox({ ...options, ...files }),
    faults: 0,
    onFault: (error) => {
      // While the directory can't be used at all, which is logged once, failures are ignored.
      if (context.problem) return;
      context.faults++;
      const message = `spool: the disk refuses writes in ${files.spoolDirectory}; events are kept in memory meanwhile`;
      log.log("error", "spool_fault", message, { code: toErrorCode(error) });
    },
    onRecovered: () => {
      const message = `spool: the disk takes events again in ${files.spoolDirectory}`;
      log.log("info", "spool_recovered", message);
    },
  };
  return context;
}

function toSpoolStats({ budget, faults, problem }: SpoolContext, store: SpoolStore): SpoolStats {
  const { isDegraded, eventsInMemory } = store;
  const state = problem ? "unusable" : isDegraded ? "degraded" : "ok";
  return { state, bytes: budget.used, eventsInMemory, faults };
}

/** Counts and logs once that the directory can't be used. */
function reportProblem(context: SpoolContext): void {
  if (!context.problem) return;
  context.faults++;
  const message = `${context.problem.message}: events are kept in memory until it can; it is tried each second`;
  context.log.log("error", "spool_open", message);
}

/** Wraps a journal so that a batch is not safe before its events are. */
function toOrderedJournal(
  store: SpoolStore,
  journal: SpoolJournal,
  onRecord: StorageOptions["onRecord"],
): Journal {
  return {
    mustSync: journal.mustSync,
    write: (record) => {
      journal.write(record);
      onRecord?.(record);
    },
    sync: async () => {
      await store.sync();
      await journal.sync();
    },
  };
}

/**
 * Opens storage in a directory, where events outlive the process, and takes over the events of ended processes.
 * While the directory can't be made or written, events are kept in memory.
 */
export function openSpoolStorage(options: SpoolOptions): Storage {
  const context = createContext(options);
  const writerId = uuidV7(context.clock.now());
  const machine = readMachine();
  const home = createWriterHome(context, writerId, machine, () => journal.renew());
  const { path: directory } = home;
  reportProblem(context);
  const state = createOutboxState();
  // Without a journal nobody would know later which events were sent.
  const journal = new SpoolJournal({
    ...context,
    directory,
    state,
    isNew: true,
    isLazy: context.problem !== undefined,
    onFailure: context.onFault,
  });
  const store = new SpoolStore({
    ...context,
    writerId,
    directory,
    home,
    segments: createSegments(context, directory),
    onDegraded: context.onFault,
    onFinal: () => adoption.wakeSender(),
    onRecovered: () => {
      context.onRecovered();
      void adoption.look();
    },
  });
  const ordered = toOrderedJournal(store, journal, options.onRecord);
  const parts = { source: store, state, journal: ordered };
  // Without a directory no event outlives the process.
  const toDirectory = (): string | undefined => (context.problem ? undefined : directory);
  const outbox = createOutbox(context, writerId, parts, toDirectory);
  const adoption = new Adoption(context, outbox, machine);

  return {
    store,
    outbox,
    start: (sender) => adoption.start(sender),
    ready: () => adoption.ready(),
    look: () => adoption.look(),
    completed: () => adoption.completed(),
    isSafe: (sequence) => store.isSafe(sequence),
    release: (drained) => void adoption.remove(drained).catch(context.onFault),
    giveUpMemory(reason) {
      store.recover();
      outbox.dropFrom(store.newestInFiles + 1, reason);
    },
    close() {
      adoption.close();
      void context.deadLetters.close();
      store.close();
      journal.close();
      // The adopter of the directory reports the rest for the chain of batches.
      if (outbox.pending === 0 && leaveEnd(context, outbox))
        removeWriterDirectory(context.fs, directory);
      // Last of all: while the owner seems alive, nobody else touches its directory.
      home.close();
    },
    spoolStats: () => toSpoolStats(context, store),
  };
}
