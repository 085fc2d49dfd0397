import { resolve } from "node:path";
import { uuidV7 } from "../../util/ids.ts";
import type { Journal } from "../batch-queue.ts";
import { createOutboxState, type OutboxState } from "../outbox-state.ts";
import { Outbox } from "../outbox.ts";
import type { SpoolStats, Storage, StorageOptions } from "../storage.ts";
import { Adoption } from "./adoption.ts";
import { SpoolBudget } from "./budget.ts";
import { DeadLetterBox } from "./dead-letters.ts";
import { leaveEnd } from "./ended-writers.ts";
import { nodeFileSystem, toErrorCode } from "./file-system.ts";
import { createFrameCipher } from "./frame.ts";
import { SpoolJournal } from "./journal.ts";
import { readMachine } from "./machine.ts";
import {
  createSegments,
  toKeepDeadLetter,
  type SpoolContext,
  type SpoolOptions,
} from "./spool-room.ts";
import { SpoolStore } from "./spool-store.ts";
import {
  createWriterHome,
  removeWriterDirectory,
  type OwnedHome,
  type WriterHome,
} from "./writer-home.ts";

function createContext(options: SpoolOptions): SpoolContext {
  const { fs = nodeFileSystem, log, spoolKey } = options;
  const files = {
    fs,
    spoolDirectory: resolve(options.spoolDirectory),
    isPowerSafe: options.durability === "power",
    cipherOf: (fileName: string) => (spoolKey ? createFrameCipher(spoolKey, fileName) : undefined),
  };
  const context: SpoolContext = {
    ...options,
    ...files,
    budget: new SpoolBudget(options.maxSpoolBytes),
    deadLetters: new DeadLetterBox({ ...options, ...files }),
    faults: 0,
    onFault: (error) => {
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

/** Opens the journal of a new writer: without it nobody would know later which events were sent. */
function openJournal(
  context: SpoolContext,
  directory: string,
  state: OutboxState,
  onFailure: SpoolContext["onFault"],
): SpoolJournal {
  const isLazy = context.problem !== undefined;
  return new SpoolJournal({ ...context, directory, state, isNew: true, isLazy, onFailure });
}

function toSpoolStats({ budget, faults, problem }: SpoolContext, store: SpoolStore): SpoolStats {
  const { isDegraded, eventsInMemory } = store;
  const state = problem ? "unusable" : isDegraded ? "degraded" : "ok";
  return { state, bytes: budget.used, eventsInMemory, faults };
}

/** Counts and logs once that the directory can't be used; failures are ignored until it can. */
function toOnFault(context: SpoolContext): SpoolContext["onFault"] {
  if (context.problem) {
    context.faults++;
    const message = `${context.problem.message}: events are kept in memory until it can; it is tried each second`;
    context.log.log("error", "spool_open", message);
  }
  return (error) => {
    if (!context.problem) context.onFault(error);
  };
}

/** Wraps the home of a writer so that a remade directory gets its journal as well. */
function toRenewedHome(home: OwnedHome, journal: SpoolJournal): WriterHome {
  return {
    isThere: () => home.isThere(),
    remake() {
      home.remake();
      journal.renew();
    },
  };
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

interface OwnParts {
  readonly writerId: string;
  readonly directory: string;
  readonly state: OutboxState;
  readonly store: SpoolStore;
  readonly journal: Journal;
}

function createOwnOutbox(
  context: SpoolContext,
  { writerId, directory, state, store, journal }: OwnParts,
): Outbox {
  return new Outbox({
    ...context,
    origin: { ...context.origin, writerId },
    source: store,
    state,
    journal,
    keepDeadLetter: toKeepDeadLetter(context, writerId),
    // Without a directory no event outlives the process.
    get directory() {
      return context.problem ? undefined : directory;
    },
  });
}

/**
 * Opens storage in a directory, where events outlive the process, and takes over the events of ended processes.
 * While the directory can't be made or written, events are kept in memory.
 */
export function openSpoolStorage(options: SpoolOptions): Storage {
  const context = createContext(options);
  const { clock } = context;
  const writerId = uuidV7(clock.now());
  const machine = readMachine();
  const home = createWriterHome(context, writerId, machine);
  const { path: directory } = home;
  const onFault = toOnFault(context);
  const state = createOutboxState();
  const journal = openJournal(context, directory, state, onFault);
  const store = new SpoolStore({
    ...context,
    writerId,
    directory,
    // Known once the directory is made.
    get parents() {
      return home.parents;
    },
    home: toRenewedHome(home, journal),
    segments: createSegments(context, directory),
    onDegraded: onFault,
    onFinal: () => adoption.wakeSender(),
    onRecovered: () => {
      context.onRecovered();
      void adoption.look();
    },
  });
  const ordered = toOrderedJournal(store, journal, options.onRecord);
  const outbox = createOwnOutbox(context, { writerId, directory, state, store, journal: ordered });
  const adoption = new Adoption(context, outbox, machine);

  return {
    store,
    outbox,
    start: (sender) => adoption.start(sender),
    ready: () => adoption.ready(),
    look: () => adoption.look(),
    completed: () => adoption.completed(),
    isSafe: (sequence) => sequence <= store.newestInFiles && !store.isUnsafe,
    release: (drained) => void adoption.remove(drained).catch(context.onFault),
    giveUpMemory(reason) {
      store.writeRest();
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
