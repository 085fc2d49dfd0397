import { builtInPhrases } from "./built-in-phrases.ts";
import type { CompiledGroup } from "./compiled-phrases.ts";

/** Gives a group of the built-in phrases by its name, looked up at the first use. */
export function lazyGroup(name: string): () => CompiledGroup {
  let group: CompiledGroup | undefined;
  return () => (group ??= builtInPhrases().group(name));
}
