/** Thrown for phrases that can't be compiled. */
export class PhraseError extends Error {
  /** Always `PhraseError`, also across copies of the package. */
  override readonly name = "PhraseError";
}
