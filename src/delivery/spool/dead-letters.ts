import { join } from "node:path";
import type { Clock } from "../../util/clock.ts";
import { countNoun } from "../../util/count-noun.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { BurstLogger } from "../../util/logger.ts";
import { isRecord } from "../../util/values.ts";
import type { StoredEvent } from "../event-store.ts";
import { toErrorCode } from "./file-system.ts";
import { AppendFile, readFrames, type SpoolSource } from "./frame-file.ts";
import { FRAME_TYPES } from "./frame.ts";
import { DEAD_LETTER_DIRECTORY } from "./writers.ts";

const DEAD_LETTER_NAME = /^[0-9a-f-]{36}\.dead$/;

/** An event that the platform refused for good. */
export interface DeadLetter {
  readonly organizationId: string;
  readonly writerId: string;
  /** Reason of the platform: a status or the code of a problem. */
  readonly reason: string;
  /** When it became a dead letter, milliseconds since the Unix epoch. */
  readonly deadAt: number;
  /** The event as it was sent. */
  readonly event: Readonly<Record<string, unknown>>;
}

export interface DeadLetterOptions extends SpoolSource {
  /** Whether a dead letter must survive a power cut. Default: false. */
  readonly isPowerSafe?: boolean;
}

/** Writes an event to a file of its own. @throws the error of the file system. */
export async function writeDeadLetter(
  { spoolDirectory, fs, cipherOf, isPowerSafe = false }: DeadLetterOptions,
  letter: Omit<DeadLetter, "event">,
  { json, sequence, timestamp }: StoredEvent,
): Promise<void> {
  const directory = join(spoolDirectory, DEAD_LETTER_DIRECTORY);
  fs.makeDirectory(directory);
  const name = `${uuidV7(letter.deadAt)}.dead`;
  const text = JSON.stringify({ ...letter, event: JSON.parse(json.toString()) as unknown });
  const head = { type: FRAME_TYPES.deadLetter, sequence, timestamp };
  const path = join(directory, name);
  const file = new AppendFile(fs, path, cipherOf(name));
  try {
    file.append(file.toFrame(head, Buffer.from(text)));
    if (isPowerSafe) {
      await file.sync();
      await fs.syncDirectory(spoolDirectory);
    }
  } catch (error) {
    fs.remove(path);
    throw error;
  } finally {
    file.close();
  }
}

/** Lists the names of the dead letters, the oldest first. @throws the error of the file system. */
export function listDeadLetters({ spoolDirectory, fs }: SpoolSource): string[] {
  const names = fs.list(join(spoolDirectory, DEAD_LETTER_DIRECTORY));
  return names.filter((name) => DEAD_LETTER_NAME.test(name)).toSorted();
}

/** Content of a dead letter's file, or the reason for which it can't be read. */
type ReadDeadLetter =
  | { readonly kind: "letter"; readonly letter: DeadLetter; readonly isEncrypted: boolean }
  | { readonly kind: "locked" | "damaged" };

/** Reads a dead letter. @throws the error of the file system. */
export async function readDeadLetter(
  { spoolDirectory, fs, cipherOf }: SpoolSource,
  name: string,
): Promise<ReadDeadLetter> {
  const path = join(spoolDirectory, DEAD_LETTER_DIRECTORY, name);
  let result: ReadDeadLetter = { kind: "damaged" };
  await readFrames(fs, path, cipherOf(name), ({ type, isEncrypted }, json) => {
    if (!json) result = { kind: "locked" };
    else if (type === FRAME_TYPES.deadLetter) {
      const letter = JSON.parse(json.toString()) as DeadLetter;
      result = { kind: "letter", letter, isEncrypted };
    }
    return false;
  });
  return result;
}

export function removeDeadLetter({ spoolDirectory, fs }: SpoolSource, name: string): void {
  fs.remove(join(spoolDirectory, DEAD_LETTER_DIRECTORY, name));
}

/** Wait in ms before a disk that refused a dead letter is tried again. */
const RETRY_INTERVAL_MILLIS = 1000;
/** Bytes of dead letters that wait for the disk; more are lost, with a log line. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

interface DeadLetterBoxOptions extends DeadLetterOptions {
  readonly clock: Clock;
  readonly log: BurstLogger;
}

type Letter = Omit<DeadLetter, "event">;

/** Keeps dead letters in files; while the disk refuses them, in memory. */
export class DeadLetterBox {
  readonly #options: DeadLetterBoxOptions;
  #waiting: { readonly letter: Letter; readonly event: StoredEvent }[] = [];
  #cancel: (() => void) | undefined;

  constructor(options: DeadLetterBoxOptions) {
    this.#options = options;
  }

  /** Keeps an event; never rejects. */
  async keep(letter: Letter, event: StoredEvent): Promise<void> {
    const { clock, log } = this.#options;
    try {
      await writeDeadLetter(this.#options, letter, event);
    } catch (error) {
      const bytes = this.#waiting.reduce((sum, waiting) => sum + waiting.event.json.length, 0);
      const isFull = bytes + event.json.length > MAX_WAITING_BYTES;
      const { spoolDirectory } = this.#options;
      const message = isFull
        ? `spool: a dead letter could not be kept in ${spoolDirectory}`
        : `spool: the disk refuses a dead letter in ${spoolDirectory}; it is kept in memory meanwhile`;
      log.log("error", "dead_letter", message, { code: toErrorCode(error) });
      if (isFull) return;
      this.#waiting.push({ letter, event });
      this.#cancel?.();
      this.#cancel = clock.schedule(() => void this.retry(), RETRY_INTERVAL_MILLIS);
    }
  }

  /** Tries to write the waiting letters. */
  async retry(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { letter, event } of waiting) await this.keep(letter, event);
  }

  /** Tries to write the waiting letters a last time. */
  async close(): Promise<void> {
    await this.retry();
    this.#cancel?.();
    const count = this.#waiting.length;
    if (count === 0) return;
    const message = `spool: ${countNoun(count, "dead letter")} lost: the disk refuses them in ${this.#options.spoolDirectory}`;
    this.#options.log.log("error", "dead_letters_lost", message, { count }, count);
  }
}

/** A dead letter and its file. */
export type LetterView = {
  /** Name of the file. */
  readonly name: string;
  /** UUID in the name of the file. */
  readonly id: string;
} & ReadDeadLetter;

const EXTENSION = ".dead";

function isLetter(letter: DeadLetter): boolean {
  const { organizationId, writerId, reason, deadAt, event } = letter;
  return (
    [organizationId, writerId, reason, event?.["eventId"]].every(
      (text) => typeof text === "string",
    ) &&
    [deadAt, event["timestamp"]].every((time) => typeof time === "number") &&
    isRecord(event)
  );
}

/** Reads a dead letter; `undefined` when it has been removed meanwhile. Never throws. */
export async function viewLetter(
  source: SpoolSource,
  name: string,
): Promise<LetterView | undefined> {
  const id = name.slice(0, -EXTENSION.length);
  try {
    const read = await readDeadLetter(source, name);
    if (read.kind === "letter" && !isLetter(read.letter)) return { name, id, kind: "damaged" };
    return { name, id, ...read };
  } catch (error) {
    return toErrorCode(error) === "ENOENT" ? undefined : { name, id, kind: "damaged" };
  }
}

/** Reads the dead letters of a spool directory one by one, the oldest first. @throws the error of the file system. */
export async function* readLetters(source: SpoolSource): AsyncGenerator<LetterView> {
  let names: string[] = [];
  try {
    names = listDeadLetters(source);
  } catch (error) {
    // The directory is made with the first dead letter.
    if (toErrorCode(error) !== "ENOENT") throw error;
  }
  for (const name of names) {
    const view = await viewLetter(source, name);
    if (view) yield view;
  }
}
