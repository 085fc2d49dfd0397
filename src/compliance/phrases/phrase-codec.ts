import { gunzipSync, gzipSync } from "node:zlib";
import { PackedReader, PackedWriter } from "./packed-buffer.ts";
import type { Lists, PhraseTables } from "./phrase-tables.ts";

/** Changes whenever tables of another build can't be read any more. */
const FORMAT = "phrases 5";
const MAX_BYTES = 64 * 1024 * 1024;
const BEST_COMPRESSION = 9;

/** What is no array of numbers. */
type Header = Pick<PhraseTables, "exactKeyCount" | "markCount" | "groups">;

/** Thrown for a text that holds no tables of this format. */
export class PhraseCodecError extends Error {
  override readonly name = "PhraseCodecError";
}

function writeLists(writer: PackedWriter, { first, items }: Lists): void {
  writer.rising(first);
  writer.shorts(items);
}

function readLists(reader: PackedReader): Lists {
  const first = reader.rising();
  const items = reader.shorts();
  if (first[0] !== 0 || first.at(-1) !== items.length)
    throw new PhraseCodecError("lists and their items disagree");
  return { first, items };
}

/** Encodes tables as text. */
export function encodePhrases(tables: PhraseTables): string {
  const writer = new PackedWriter();
  writer.bytes(Buffer.from(FORMAT));
  const { exactKeyCount, markCount, groups } = tables;
  writer.bytes(Buffer.from(JSON.stringify({ exactKeyCount, markCount, groups } satisfies Header)));
  writer.bytes(tables.spellings);
  writer.rising(tables.spellingStarts);
  writer.shorts(tables.wordSlots);
  writer.shorts(tables.stemSlots);
  writer.shorts(tables.literalWords);
  writer.rising(tables.literalChildren);
  writer.shorts(tables.literalStarts);
  writer.bytes(tables.literalEnds);
  writer.bytes(tables.literalPairs);
  writeLists(writer, tables.elements);
  writeLists(writer, tables.stepsOfRow);
  writeLists(writer, tables.needsOfRow);
  writer.bytes(tables.startsSentence);
  writeLists(writer, tables.chainsOfPhrase);
  writeLists(writer, tables.needsOfPhrase);
  writeLists(writer, tables.phrasesOfGroup);
  writer.shorts(tables.keyOfPhrase);
  writer.shorts(tables.keyOfRow);
  writeLists(writer, tables.marksOfTerm);
  writer.shorts(tables.keysOfNumbers);
  writer.bytes(tables.classesOfKeys);
  return gzipSync(writer.finish(), { level: BEST_COMPRESSION }).toString("base64");
}

/** Members are read in the order in which they are written. */
function readTables(reader: PackedReader): PhraseTables {
  if (reader.bytes().toString() !== FORMAT) throw new PhraseCodecError("another format");
  const tables: PhraseTables = {
    ...(JSON.parse(reader.bytes().toString()) as Header),
    spellings: reader.bytes(),
    spellingStarts: reader.rising(),
    wordSlots: reader.shorts(),
    stemSlots: reader.shorts(),
    literalWords: reader.shorts(),
    literalChildren: reader.rising(),
    literalStarts: reader.shorts(),
    literalEnds: reader.bytes(),
    literalPairs: reader.bytes(),
    elements: readLists(reader),
    stepsOfRow: readLists(reader),
    needsOfRow: readLists(reader),
    startsSentence: reader.bytes(),
    chainsOfPhrase: readLists(reader),
    needsOfPhrase: readLists(reader),
    phrasesOfGroup: readLists(reader),
    keyOfPhrase: reader.shorts(),
    keyOfRow: reader.shorts(),
    marksOfTerm: readLists(reader),
    keysOfNumbers: reader.shorts(),
    classesOfKeys: reader.bytes(),
  };
  reader.finish();
  return tables;
}

/**
 * Decodes tables; a checksum tells whether they are what was encoded.
 *
 * @throws {@link PhraseCodecError} for a text that was cut, changed, or written by another version.
 */
export function decodePhrases(text: string): PhraseTables {
  try {
    const bytes = gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: MAX_BYTES });
    return readTables(new PackedReader(bytes));
  } catch (error) {
    throw new PhraseCodecError("the compiled phrases can't be decoded", { cause: error });
  }
}
