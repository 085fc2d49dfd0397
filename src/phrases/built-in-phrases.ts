import { builtInText } from "./built-in-text.ts";
import { CompiledPhrases } from "./compiled-phrases.ts";
import { PhraseDecoder } from "./phrase-codec.ts";

let decoder: PhraseDecoder | undefined;
let decoded: CompiledPhrases | undefined;

/**
 * Decodes a part of the phrases of the built-in rules, and returns whether all are there.
 *
 * @throws PhraseCodecError if they are not what the build has written.
 */
export function decodeBuiltInPart(): boolean {
  if (decoded) return true;
  decoder ??= new PhraseDecoder(builtInText());
  const tables = decoder.next();
  if (!tables) return false;
  decoded = new CompiledPhrases(tables);
  decoder = undefined;
  return true;
}

/** Returns the phrases of the built-in rules, which the build has compiled; what is not decoded yet is decoded now. */
export function builtInPhrases(): CompiledPhrases {
  while (!decoded) decodeBuiltInPart();
  return decoded;
}
