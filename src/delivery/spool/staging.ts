import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { probeOwner } from "./owner.ts";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const STAGING_NAME = new RegExp(`^\\.redrive-(${UUID})-(${UUID})$`);

/** Returns the name of a directory that is being made; it is no name of a writer directory. */
export function toStagingName(ownerId: string, writerId: string): string {
  return `.redrive-${ownerId}-${writerId}`;
}

/** Parses the id of the owner that makes a directory; `undefined` when the name is not that of one being made. */
export function parseStagingName(name: string): string | undefined {
  return STAGING_NAME.exec(name)?.[1];
}

/**
 * Removes unfinished directories of owners that are gone; the dead letters from which they were made are still there.
 *
 * @returns Whether another owner is making one now.
 * @throws the error of the file system.
 */
export async function removeUnfinished(directory: string, machine: Machine): Promise<boolean> {
  let isBusy = false;
  for (const name of readdirSync(directory)) {
    const ownerId = parseStagingName(name);
    if (ownerId === undefined) continue;
    if ((await probeOwner(directory, ownerId, machine)) === "dead")
      rmSync(join(directory, name), { recursive: true, force: true });
    else isBusy = true;
  }
  return isBusy;
}
