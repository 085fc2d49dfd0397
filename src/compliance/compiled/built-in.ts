import type { Concepts } from "../../phrases/parse-phrase.ts";
import { BUILT_IN_PACK } from "./built-in-pack.generated.ts";
import type { CompiledPack } from "./compiled-pack.ts";

let pack: CompiledPack | undefined;

/** Returns the built-in rules as the build has compiled them, without their phrases. */
export function readBuiltInPack(): CompiledPack {
  return (pack ??= JSON.parse(BUILT_IN_PACK) as CompiledPack);
}

/** Returns the words that the phrases of every rule may name. */
export function commonWords(): Concepts {
  return readBuiltInPack().common;
}
