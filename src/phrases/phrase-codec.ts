import { gunzipSync, gzipSync } from "node:zlib";
import { PackedReader, PackedWriter } from "./packed-buffer.ts";
import type { Lists, PhraseTables } from "./phrase-tables.ts";

/** Changes whenever tables of another build can't be read any more. */
const FORMAT = "phrases 7";
/** What is decoded at a time: unzipping it takes a millisecond or two. */
const PART_BYTES = 256 * 1024;
const PART_END = ".";
const BEST_COMPRESSION = 9;

/** What is no array of numbers. */
type Header = Pick<PhraseTables, "exactKeyCount" | "markCount" | "groups">;

/** Thrown for a text that holds no tables of this format. */
export class PhraseCodecError extends Error {
  override readonly name = "PhraseCodecError";
}

function writeLists(writer: PackedWriter, { first, items }: Lists): void {
  writer.longs(first);
  writer.shorts(items);
}

function readLists(reader: PackedReader): Lists {
  const first = reader.longs();
  const items = reader.shorts();
  if (first[0] !== 0 || first.at(-1) !== items.length)
    throw new PhraseCodecError("lists and their items disagree");
  return { first, items };
}

/** Zips each part by itself, so that an application has its turn in between when they are decoded. */
function zip(bytes: Buffer): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    const part = gzipSync(bytes.subarray(start, start + PART_BYTES), { level: BEST_COMPRESSION });
    parts.push(part.toString("base64"));
  }
  return parts.join(PART_END);
}

/** Encodes tables as text. */
export function encodePhrases(tables: PhraseTables): string {
  const writer = new PackedWriter();
  writer.bytes(Buffer.from(FORMAT));
  const { exactKeyCount, markCount, groups } = tables;
  writer.bytes(Buffer.from(JSON.stringify({ exactKeyCount, markCount, groups } satisfies Header)));
  writer.bytes(tables.spellings);
  writer.longs(tables.spellingStarts);
  writer.shorts(tables.wordSlots);
  writer.shorts(tables.stemSlots);
  writer.shorts(tables.literalWords);
  writer.longs(tables.literalChildren);
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
  writer.shorts(tables.keysOfNeeds);
  writer.shorts(tables.keyOfRow);
  writer.shorts(tables.markListOfTerm);
  writeLists(writer, tables.markLists);
  writer.shorts(tables.keysOfNumbers);
  writer.bytes(tables.classesOfKeys);
  return zip(writer.finish());
}

/** Members are read in the order in which they are written. */
function readTables(reader: PackedReader): PhraseTables {
  if (reader.bytes().toString() !== FORMAT) throw new PhraseCodecError("another format");
  const tables: PhraseTables = {
    ...(JSON.parse(reader.bytes().toString()) as Header),
    spellings: reader.bytes(),
    spellingStarts: reader.longs(),
    wordSlots: reader.shorts(),
    stemSlots: reader.shorts(),
    literalWords: reader.shorts(),
    literalChildren: reader.longs(),
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
    keysOfNeeds: reader.shorts(),
    keyOfRow: reader.shorts(),
    markListOfTerm: reader.shorts(),
    markLists: readLists(reader),
    keysOfNumbers: reader.shorts(),
    classesOfKeys: reader.bytes(),
  };
  reader.finish();
  return tables;
}

/** Decodes tables a part at a time; checksums show whether they are what was encoded. */
export class PhraseDecoder {
  readonly #parts: readonly string[];
  readonly #decoded: Buffer[] = [];

  constructor(text: string) {
    this.#parts = text.split(PART_END);
  }

  /**
   * Decodes the next part; gives the tables behind the last one.
   *
   * @throws {@link PhraseCodecError} for a text that was cut, changed, or written by another version, now and when asked again.
   */
  next(): PhraseTables | undefined {
    try {
      const part = this.#parts[this.#decoded.length];
      if (part === undefined) return readTables(new PackedReader(Buffer.concat(this.#decoded)));
      const zipped = Buffer.from(part, "base64");
      this.#decoded.push(
        // In one piece: with a byte to spare no second one is made.
        gunzipSync(zipped, { maxOutputLength: PART_BYTES, chunkSize: PART_BYTES + 1 }),
      );
      return undefined;
    } catch (error) {
      throw new PhraseCodecError("the compiled phrases can't be decoded", { cause: error });
    }
  }
}

/**
 * Decodes tables at once.
 *
 * @throws {@link PhraseCodecError} for a text that was cut, changed, or written by another version.
 */
export function decodePhrases(text: string): PhraseTables {
  const decoder = new PhraseDecoder(text);
  let tables = decoder.next();
  while (!tables) tables = decoder.next();
  return tables;
}
