import { BUILT_IN_MODEL, BUILT_IN_WEIGHTS } from "./built-in-model.generated.ts";

/**
 * Gives the model as the build has written it: what is known of it as JSON, its weights in base64.
 *
 * A file of its own: in the built package the ES modules take it from the CommonJS copy, so that the text is there once.
 */
export function builtInModelText(): { readonly facts: string; readonly weights: string } {
  return { facts: BUILT_IN_MODEL, weights: BUILT_IN_WEIGHTS };
}
