import { dirname, join } from "node:path";
import { toErrorCode } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { openOwner, type Owner } from "./owner.ts";
import type { SpoolContext } from "./spool-room.ts";
import { RECORD_FORMAT } from "./record-file.ts";
import { writeWriterRecord } from "./writer-record.ts";

/** The spool directory can't be used. */
export class SpoolError extends Error {
  override readonly name = "SpoolError" as const;

  /** @param code - Code of the system call that failed. */
  constructor(spoolDirectory: string, code: string) {
    super(`spoolDirectory ${spoolDirectory} can't be used (${code})`);
  }
}

/** A writer directory that was just made, and who owns it. */
export interface OpenWriter {
  readonly owner: Owner;
  readonly path: string;
  /** The directories above, up to one that was there before: a power cut must not take away their names. */
  readonly parents: readonly string[];
}

/** The directory and those above it, up to the one in which the topmost that was made has its name. */
export function listParents(spoolDirectory: string, topmost = spoolDirectory): string[] {
  const parents = [spoolDirectory];
  for (let path = spoolDirectory; path.length >= topmost.length && path !== dirname(path);) {
    path = dirname(path);
    parents.push(path);
  }
  return parents;
}

/** Where a writer's directory is made, and whose it is. */
export interface WriterPlace extends Pick<SpoolContext, "fs" | "spoolDirectory" | "clock"> {
  readonly origin: Pick<SpoolContext["origin"], "organizationId">;
}

/**
 * Makes a writer's directory, alive from its first moment on.
 *
 * @throws SpoolError
 */
export function openWriter(
  { fs, spoolDirectory, origin, clock }: WriterPlace,
  writerId: string,
  machine: Machine,
): OpenWriter {
  const path = join(spoolDirectory, writerId);
  const now = clock.now();
  let owner: ReturnType<typeof openOwner> | undefined;
  try {
    const topmost = fs.makeDirectory(spoolDirectory);
    owner = openOwner(spoolDirectory, writerId, machine, now);
    if ("status" in owner) throw new SpoolError(spoolDirectory, owner.code);
    fs.makeDirectory(path);
    const { organizationId } = origin;
    const record = { format: RECORD_FORMAT, writerId, organizationId, createdAt: now } as const;
    const failure = writeWriterRecord(path, record);
    if (failure) throw new SpoolError(spoolDirectory, failure.code);
    return { owner, path, parents: listParents(spoolDirectory, topmost) };
  } catch (error) {
    if (owner && "close" in owner) owner.close();
    throw error instanceof SpoolError ? error : new SpoolError(spoolDirectory, toErrorCode(error));
  }
}
