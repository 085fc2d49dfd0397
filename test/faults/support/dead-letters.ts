import { existsSync } from "node:fs";
import { join } from "node:path";
import { listDeadLetters, readDeadLetter } from "../../../src/delivery/spool/dead-letters.ts";
import { nodeFileSystem } from "../../../src/delivery/spool/file-system.ts";
import { DEAD_LETTER_DIRECTORY } from "../../../src/delivery/spool/writers.ts";

/** Promised ids of the events that are dead letters, each once. */
export async function readDeadIds(spoolDirectory: string): Promise<string[]> {
  const options = { spoolDirectory, fs: nodeFileSystem, cipherOf: () => undefined };
  if (!existsSync(join(spoolDirectory, DEAD_LETTER_DIRECTORY))) return [];
  const ids = new Set<string>();
  for (const name of listDeadLetters(options)) {
    const read = await readDeadLetter(options, name);
    // One that is damaged was being written at the crash: its event is not settled, so there is another.
    if (read.kind === "letter") ids.add(String(read.letter.event["content"]).split(" ", 1)[0]!);
  }
  return [...ids];
}
