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

function createRoom(options: SpoolOptions): SpoolContext {
  const { fs = nodeFileSystem, log, spoolKey } = options;
  const files = {
    fs,
    spoolDirectory: resolve(options.spoolDirectory),
    isPowerSafe: options.durability === "power",
    cipherOf: (fileName: string) => (spoolKey ? createFrameCipher(spoolKey, fileName) : undefined),
  };
  const room: SpoolContext = {
    ...options,
    ...files,
    budget: new SpoolBudget(options.maxSpoolBytes),
    deadLetters: new DeadLetterBox({ ...options, ...files }),
    faults: 0,
    onFault: (error) => {
      room.faults++;
      const message = `spool: the disk refuses writes in ${files.spoolDirectory}; events are kept in memory meanwhile`;
      log.log("error", "spool_fault", message, { code: toErrorCode(error) });
    },
    onRecovered: () => {
      const message = `spool: the disk takes events again in ${files.spoolDirectory}`;
      log.log("info", "spool_recovered", message);
    },
  };
  return room;
}

/** The journal of a new writer: without it nobody would know later what was sent. */
function openJournal(
  room: SpoolContext,
  directory: string,
  state: OutboxState,
  onFailure: SpoolContext["onFault"],
): SpoolJournal {
  const isLazy = room.problem !== undefined;
  return new SpoolJournal({ ...room, directory, state, isNew: true, isLazy, onFailure });
}

function toSpoolStats({ budget, faults, problem }: SpoolContext, store: SpoolStore): SpoolStats {
  const { isDegraded, eventsInMemory } = store;
  const state = problem ? "unusable" : isDegraded ? "degraded" : "ok";
  return { state, bytes: budget.used, eventsInMemory, faults };
}

/** Tells once that the directory can't be used; what fails for that reason until it can is no news. */
function toOnFault(room: SpoolContext): SpoolContext["onFault"] {
  if (room.problem) {
    room.faults++;
    const message = `${room.problem.message}: events are kept in memory until it can; it is tried each second`;
    room.log.log("error", "spool_open", message);
  }
  return (error) => {
    if (!room.problem) room.onFault(error);
  };
}

/** A directory that is made again has its journal as well. */
function toRenewedHome(home: OwnedHome, journal: SpoolJournal): WriterHome {
  return {
    isThere: () => home.isThere(),
    remake() {
      home.remake();
      journal.renew();
    },
  };
}

/** A batch must not be safe before its events are. */
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
  room: SpoolContext,
  { writerId, directory, state, store, journal }: OwnParts,
): Outbox {
  return new Outbox({
    ...room,
    origin: { ...room.origin, writerId },
    source: store,
    state,
    journal,
    keepDeadLetter: toKeepDeadLetter(room, writerId),
    // Nothing outlives the process without one.
    get directory() {
      return room.problem ? undefined : directory;
    },
  });
}

/**
 * Keeps events in a directory of their own, where they outlive the process, and takes over what processes that are
 * gone have left. While the directory can't be made or written events are kept in memory.
 */
export function openSpoolStorage(options: SpoolOptions): Storage {
  const room = createRoom(options);
  const { clock } = room;
  const writerId = uuidV7(clock.now());
  const machine = readMachine();
  const home = createWriterHome(room, writerId, machine);
  const { path: directory } = home;
  const onFault = toOnFault(room);
  const state = createOutboxState();
  const journal = openJournal(room, directory, state, onFault);
  const store = new SpoolStore({
    ...room,
    writerId,
    directory,
    // They are known when the directory is made.
    get parents() {
      return home.parents;
    },
    home: toRenewedHome(home, journal),
    segments: createSegments(room, directory),
    onDegraded: onFault,
    onFinal: () => adoption.wakeSender(),
    onRecovered: () => {
      room.onRecovered();
      void adoption.look();
    },
  });
  const ordered = toOrderedJournal(store, journal, options.onRecord);
  const outbox = createOwnOutbox(room, { writerId, directory, state, store, journal: ordered });
  const adoption = new Adoption(room, outbox, machine);

  return {
    store,
    outbox,
    start: (sender) => adoption.start(sender),
    ready: () => adoption.ready(),
    look: () => adoption.look(),
    completed: () => adoption.completed(),
    isSafe: (sequence) => sequence <= store.newestInFiles && !store.isUnsafe,
    release: (drained) => void adoption.remove(drained).catch(room.onFault),
    giveUpMemory(reason) {
      store.writeRest();
      outbox.dropFrom(store.newestInFiles + 1, reason);
    },
    close() {
      adoption.close();
      void room.deadLetters.close();
      store.close();
      journal.close();
      // What the chain of batches needs to be told is told by whoever adopts the directory.
      if (outbox.pending === 0 && leaveEnd(room, outbox)) removeWriterDirectory(room.fs, directory);
      // The last of all: while it seems alive, nobody else touches its directory.
      home.close();
    },
    spoolStats: () => toSpoolStats(room, store),
  };
}
