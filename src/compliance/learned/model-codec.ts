import type { FeatureWeights } from "./learned-model.ts";

/** First bytes of encoded weights, the version of the form included. */
const MAGIC = 0x4c_4d_30_32;
const HEAD_LENGTH = 12;
const VARINT_MORE = 0x80;

/** Thrown for bytes that are no weights. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}

function toVarints(features: Uint32Array): number[] {
  const bytes: number[] = [];
  let before = 0;
  for (const feature of features) {
    let rest = feature - before;
    before = feature;
    while (rest >= VARINT_MORE) {
      bytes.push((rest % VARINT_MORE) | VARINT_MORE);
      rest = Math.floor(rest / VARINT_MORE);
    }
    bytes.push(rest);
  }
  return bytes;
}

/** Writes weights as bytes: the gaps between features as varints, the numbers of their weights, planes, weights. */
export function encodeWeights({ features, starts, planes, weights }: FeatureWeights): Uint8Array {
  const gaps = toVarints(features);
  const counts = Array.from(
    features,
    (_, index) => (starts[index + 1] ?? 0) - (starts[index] ?? 0),
  );
  const head = new DataView(new ArrayBuffer(HEAD_LENGTH));
  for (const [index, value] of [MAGIC, features.length, weights.length].entries())
    head.setUint32(index * 4, value, true);
  const parts = [
    new Uint8Array(head.buffer),
    Uint8Array.from(gaps),
    Uint8Array.from(counts),
    planes,
    new Uint8Array(weights.buffer, weights.byteOffset, weights.length),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Reads numbers one behind the other. */
class Cursor {
  at = HEAD_LENGTH;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readByte(): number {
    return this.#bytes[this.at++] ?? 0;
  }

  readVarint(): number {
    let value = 0;
    let unit = 1;
    let byte = this.readByte();
    while (byte >= VARINT_MORE) {
      value += (byte - VARINT_MORE) * unit;
      unit *= VARINT_MORE;
      byte = this.readByte();
    }
    return value + byte * unit;
  }
}

/**
 * Reads weights from bytes.
 *
 * @throws {@link ModelError} for bytes that are none.
 */
export function decodeWeights(bytes: Uint8Array): FeatureWeights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD_LENGTH || view.getUint32(0, true) !== MAGIC)
    throw new ModelError("expected weights of a model, got other bytes");
  const [count, total] = [view.getUint32(4, true), view.getUint32(8, true)];
  if (count + 2 * total > bytes.length)
    throw new ModelError(`expected ${count} features, got ${bytes.length} bytes`);
  const cursor = new Cursor(bytes);
  let feature = 0;
  const features = new Uint32Array(count).map(() => (feature += cursor.readVarint()));
  const starts = new Uint32Array(count + 1);
  for (let index = 0; index < count; index++)
    starts[index + 1] = (starts[index] ?? 0) + cursor.readByte();
  const end = cursor.at + total;
  if (end + total !== bytes.length || starts[count] !== total)
    throw new ModelError(`expected ${end + total} bytes of weights, got ${bytes.length}`);
  // Copies, also of a Buffer, whose own slices share its memory.
  const planes = Uint8Array.from(bytes.subarray(cursor.at, end));
  const weights = new Int8Array(Uint8Array.from(bytes.subarray(end)).buffer);
  return { features, starts, planes, weights };
}
