import {
  BUILT_IN_MODEL,
  BUILT_IN_MODEL_SHA256,
  BUILT_IN_RECORDS,
} from "./built-in-model.generated.ts";

/** A model as text. */
interface ModelText {
  /** What is known of it, as JSON. */
  readonly facts: string;
  /** SHA-256 of its files, in hex. */
  readonly sha256: string;
  /** Its weights, as records. */
  readonly records: string;
}

/**
 * Returns the model as the build has written it.
 *
 * A file of its own: in the built package the ES modules take it from the CommonJS copy, so that the text is there once.
 */
export function builtInModelText(): ModelText {
  return { facts: BUILT_IN_MODEL, sha256: BUILT_IN_MODEL_SHA256, records: BUILT_IN_RECORDS };
}
