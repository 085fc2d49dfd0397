import { isRecord } from "../../util/values.ts";
import {
  listDeadLetters,
  readDeadLetter,
  type DeadLetter,
  type DeadLetterOptions,
} from "./dead-letters.ts";
import type { SpoolSource } from "./event-scan.ts";
import { readOnlyFileSystem, toErrorCode } from "./file-system.ts";
import type { FrameCipher } from "./frame.ts";

/** A dead letter as it is in its file, or the reason for which it can't be read. */
export type LetterView = {
  /** Name of the file. */
  readonly name: string;
  /** UUID in the name of the file. */
  readonly id: string;
} & (
  | { readonly status: "letter"; readonly letter: DeadLetter; readonly isEncrypted: boolean }
  | { readonly status: "locked" | "damaged" }
);

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

/** Wraps a cipher to learn whether a file was encrypted. */
function watch(cipher: FrameCipher | undefined, onOpen: () => void): FrameCipher {
  return {
    seal: (payload, nonce) => cipher?.seal(payload, nonce) ?? Buffer.from(payload),
    open: (sealed, nonce) => {
      onOpen();
      return cipher?.open(sealed, nonce);
    },
  };
}

function toLetterOptions({ directory, cipherOf }: SpoolSource): DeadLetterOptions {
  return { spoolDirectory: directory, fs: readOnlyFileSystem, cipherOf };
}

/** Reads a dead letter; `undefined` when it has been removed meanwhile. Never throws. */
export async function viewLetter(
  source: SpoolSource,
  name: string,
): Promise<LetterView | undefined> {
  let isEncrypted = false;
  const cipherOf = (fileName: string): FrameCipher =>
    watch(source.cipherOf(fileName), () => (isEncrypted = true));
  const id = name.slice(0, -EXTENSION.length);
  try {
    const read = await readDeadLetter({ ...toLetterOptions(source), cipherOf }, name);
    if (read.kind !== "letter") return { name, id, status: read.kind };
    if (!isLetter(read.letter)) return { name, id, status: "damaged" };
    return { name, id, status: "letter", letter: read.letter, isEncrypted };
  } catch (error) {
    return toErrorCode(error) === "ENOENT" ? undefined : { name, id, status: "damaged" };
  }
}

/** Reads the dead letters of a spool directory one by one, the oldest first. @throws the error of the file system. */
export async function* readLetters(source: SpoolSource): AsyncGenerator<LetterView> {
  let names: string[] = [];
  try {
    names = listDeadLetters(toLetterOptions(source));
  } catch (error) {
    // The directory is made with the first dead letter.
    if (toErrorCode(error) !== "ENOENT") throw error;
  }
  for (const name of names) {
    const view = await viewLetter(source, name);
    if (view) yield view;
  }
}
