import { gunzipSync, gzipSync } from "node:zlib";
import { PackedReader, PackedWriter } from "../../phrases/packed-buffer.ts";
import { ModelError } from "./model-codec.ts";
import { BUCKETS_LENGTH, FILTER_LENGTH, type WeightRecords } from "./weight-records.ts";

const BEST_COMPRESSION = 9;
const SIZE_BYTES = 4;
/** No model is larger; of a text that says so no more is unzipped. */
const MAX_BYTES = 8 * 1024 * 1024;
/** The least that zlib wants. */
const MIN_CHUNK = 64;

const toLongs = ({ buffer, byteOffset, length }: Int32Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length);

/** Encodes records as text. */
export function encodeRecords({ filter, buckets, records }: WeightRecords): string {
  const writer = new PackedWriter();
  writer.longs(toLongs(filter));
  writer.longs(toLongs(buckets));
  writer.shorts(new Uint16Array(records.buffer, records.byteOffset, records.length));
  return gzipSync(writer.finish(), { level: BEST_COMPRESSION }).toString("base64");
}

const toSigned = ({ buffer, byteOffset, length }: Uint32Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length);

function readRecords(reader: PackedReader): WeightRecords {
  const filter = toSigned(reader.longs());
  const buckets = toSigned(reader.longs());
  const { buffer, byteOffset, length } = reader.shorts();
  reader.finish();
  const isWhole =
    filter.length === FILTER_LENGTH &&
    buckets.length === BUCKETS_LENGTH &&
    buckets.at(-1) === length;
  if (!isWhole) throw new ModelError("buckets and records disagree");
  return { filter, buckets, records: new Int16Array(buffer, byteOffset, length) };
}

/**
 * Decodes records; a checksum shows whether they are what was encoded.
 *
 * @throws {@link ModelError} for a text that was cut, changed, or is something else.
 */
export function decodeRecords(text: string): WeightRecords {
  try {
    const zipped = Buffer.from(text, "base64");
    // Zipped bytes end with the number of those that they hold: in one piece, with a byte to spare, they need no copy.
    const size = zipped.readUInt32LE(zipped.length - SIZE_BYTES);
    const limits = { maxOutputLength: MAX_BYTES, chunkSize: Math.min(size, MAX_BYTES) + MIN_CHUNK };
    return readRecords(new PackedReader(gunzipSync(zipped, limits)));
  } catch (error) {
    throw new ModelError("the learned model can't be decoded", { cause: error });
  }
}
