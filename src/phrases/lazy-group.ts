import { builtInPhrases } from "./built-in-phrases.ts";
import type { CompiledGroup, CompiledPhrases } from "./compiled-phrases.ts";

/**
 * Returns a group by its name, looked up at the first use.
 *
 * @param phrases - Returns the set that it is of. Default: the built-in phrases.
 */
export function lazyGroup(
  name: string,
  phrases: () => CompiledPhrases = builtInPhrases,
): () => CompiledGroup {
  let group: CompiledGroup | undefined;
  return () => (group ??= phrases().group(name));
}
