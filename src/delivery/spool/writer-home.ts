import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { listParents, openWriter, SpoolError, type OpenWriter } from "./open-writer.ts";
import { ownerRecordPath } from "./owner-record.ts";
import type { SpoolContext } from "./spool-room.ts";
import type { WriterHome } from "./home-watch.ts";

/** The directory of a writer, owned from its first moment on until it is closed. */
export interface OwnedHome extends WriterHome {
  readonly path: string;
  /** The directories above, up to one that was there before. */
  readonly parents: readonly string[];
  /** Says that the owner is gone. */
  close(): void;
}

/**
 * Makes a writer's directory, and makes it again when somebody has removed it, or when it can't be made at first: a disk
 * may be mounted later. The room says why it can't.
 */
export function createWriterHome(
  room: SpoolContext,
  writerId: string,
  machine: Machine,
): OwnedHome {
  const { fs, log, spoolDirectory } = room;
  const path = join(spoolDirectory, writerId);
  const needed = [path, ownerRecordPath(spoolDirectory, writerId)];
  let writer: OpenWriter | undefined;
  try {
    writer = openWriter(room, writerId, machine);
  } catch (error) {
    if (!(error instanceof SpoolError)) throw error;
    room.problem = error;
  }
  return {
    path,
    get parents() {
      return writer?.parents ?? listParents(spoolDirectory);
    },
    isThere: () => needed.every((one) => fs.exists(one)),
    remake() {
      // First: a socket that is closed later would take the new one's name away.
      writer?.owner.close();
      writer = openWriter(room, writerId, machine);
      const isFirst = room.problem !== undefined;
      room.problem = undefined;
      if (isFirst) return;
      const message = `spool: ${path} was removed while it was in use; it is made again`;
      log.log("error", "spool_removed", message);
    },
    close: () => writer?.owner.close(),
  };
}
