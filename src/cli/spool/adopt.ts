import { readMachine } from "../../delivery/spool/machine.ts";
import { freeWriter } from "../../delivery/spool/open-writer.ts";
import { probeOwner, type OwnerState } from "../../delivery/spool/owner.ts";
import type { WriterEntry } from "../../delivery/spool/writers.ts";
import { UsageError, parseArguments } from "../parse-arguments.ts";
import {
  EXIT_CODES,
  openSpool,
  selectWriters,
  SpoolCommandError,
  takeDirectory,
  WRITER_OPTION,
} from "./arguments.ts";
import { formatCount } from "./output.ts";

const OPTIONS = {
  ...WRITER_OPTION,
  all: { type: "boolean" },
  yes: { type: "boolean" },
} as const;

const WARNING = `The process that wrote there must not run any more, on whatever machine: otherwise it loses what it
tracks from now on, and events are sent twice (the platform keeps one of each).
`;

interface Candidate {
  readonly entry: WriterEntry;
  readonly state: OwnerState;
}

async function probeAll(
  directory: string,
  writers: readonly WriterEntry[],
): Promise<readonly Candidate[]> {
  const machine = readMachine();
  const candidates: Candidate[] = [];
  for (const entry of writers)
    candidates.push({ entry, state: await probeOwner(directory, entry.ownerId, machine) });
  return candidates;
}

/** Selects the writers to free. @throws SpoolCommandError for a living owner that was named. */
function toFreeable(candidates: readonly Candidate[], isNamed: boolean): WriterEntry[] {
  for (const { entry, state } of candidates) {
    if (state === "alive" && isNamed)
      throw new SpoolCommandError(`writer ${entry.writerId}: its owner is alive here`);
    if (state === "dead" && isNamed)
      process.stdout.write(`writer ${entry.writerId} is free: the next monitor adopts it\n`);
  }
  return candidates
    .filter(({ state }) => state === "elsewhere" || state === "unknown")
    .map(({ entry }) => entry);
}

function free(directory: string, entries: readonly WriterEntry[]): number {
  let freed = 0;
  for (const entry of entries) {
    const result = freeWriter(directory, entry);
    if (result && "status" in result)
      throw new SpoolCommandError(`writer ${entry.writerId} can't be renamed (${result.code})`);
    if (!result) continue;
    freed++;
    process.stdout.write(`writer ${entry.writerId} is free now: the next monitor adopts it\n`);
  }
  return freed;
}

/** Frees writers whose owner can't be seen from this machine. */
export async function adoptSpool(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const directory = takeDirectory("adopt", positionals);
  const isNamed = values.writer !== undefined;
  if (isNamed === (values.all === true))
    throw new UsageError("spool adopt needs either --writer or --all");
  const { source, listing } = await openSpool(directory);
  const selected = selectWriters(listing, values.writer);
  const freeable = toFreeable(await probeAll(source.directory, selected), isNamed);
  if (freeable.length === 0) {
    process.stdout.write("there is nothing to free\n");
    return EXIT_CODES.done;
  }
  if (!values.yes) {
    const names = freeable.map(({ writerId }) => `  ${writerId}\n`).join("");
    process.stderr.write(
      `${formatCount(freeable.length, "writer")} would be freed:\n${names}${WARNING}Say --yes to do it.\n`,
    );
    return EXIT_CODES.failed;
  }
  free(source.directory, freeable);
  return EXIT_CODES.done;
}
