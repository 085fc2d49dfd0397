import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { probeOwner } from "./owner.ts";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const STAGING_NAME = new RegExp(`^\\.redrive-(${UUID})-(${UUID})$`);

/** Names a directory that is being made; nobody takes it for one of a writer. */
export function toStagingName(ownerId: string, writerId: string): string {
  return `.redrive-${ownerId}-${writerId}`;
}

/** Reads out of such a name who makes it; `undefined` when it is none. */
export function parseStagingName(name: string): string | undefined {
  return STAGING_NAME.exec(name)?.[1];
}

/**
 * Removes what makers that are gone have left unfinished; what it is made from is still there.
 *
 * @returns Whether somebody else is at it now.
 * @throws what the file system throws.
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
