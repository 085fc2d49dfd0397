import { BUILT_IN_PHRASES } from "./built-in-phrases.generated.ts";

/**
 * Returns the phrases of the built-in rules as the build has encoded them.
 *
 * A file of its own: in the built package the ES modules take it from the CommonJS copy, so that the text is there once.
 */
export function builtInText(): string {
  return BUILT_IN_PHRASES;
}
