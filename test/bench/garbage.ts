import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { type: "minor" | "major" }) => void;

/** Empties the young generation, so that one measurement does not pay for the garbage of another. */
export function collectYoungGarbage(): void {
  collect({ type: "minor" });
}

/** Collects everything, so that the heap is what is really held. */
export function collectAllGarbage(): void {
  collect({ type: "major" });
}
