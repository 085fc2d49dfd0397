import { CompiledPhrases } from "./compiled-phrases.ts";
import { BUILT_IN_PHRASES } from "./built-in-phrases.generated.ts";
import { decodePhrases } from "./phrase-codec.ts";

let decoded: CompiledPhrases | undefined;

/** Gives the phrases of the built-in rules, which the build has compiled; they are decoded once, when they are first asked for. */
export function builtInPhrases(): CompiledPhrases {
  return (decoded ??= new CompiledPhrases(decodePhrases(BUILT_IN_PHRASES)));
}
