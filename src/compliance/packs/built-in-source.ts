import { BUILT_IN_SOURCE } from "./built-in-source.generated.ts";
import { decodeSource, type PackSource } from "./pack-source.ts";

/** Reads the built-in rules as their files say them. It takes some milliseconds, and is needed once: nothing is kept. */
export function readBuiltInSource(): PackSource {
  return decodeSource(BUILT_IN_SOURCE);
}
