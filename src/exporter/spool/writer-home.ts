import type { Machine } from "./machine.ts";
import { openWriter } from "./open-writer.ts";
import { ownerRecordPath } from "./owner-record.ts";
import type { SpoolRoom } from "./spool-room.ts";
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
 * Makes a writer's directory, and makes it again when somebody has removed it.
 *
 * @throws SpoolError
 */
export function createWriterHome(room: SpoolRoom, writerId: string, machine: Machine): OwnedHome {
  const { fs, log, spoolDirectory } = room;
  let writer = openWriter(room, writerId, machine);
  const { path, parents } = writer;
  const needed = [path, ownerRecordPath(spoolDirectory, writerId)];
  return {
    path,
    parents,
    isThere: () => needed.every((one) => fs.exists(one)),
    remake() {
      // First: a socket that is closed later would take the new one's name away.
      writer.owner.close();
      writer = openWriter(room, writerId, machine);
      const message = `spool: ${path} was removed while it was in use; it is made again`;
      log.log("error", "spool_removed", message);
    },
    close: () => writer.owner.close(),
  };
}
