/** Thrown for phrases that can't be compiled. */
export class PhraseError extends Error {
  override readonly name = "PhraseError";
}
