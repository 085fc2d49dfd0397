/** Longest message, in bytes; a longer one ends the reading, because the next message can't be located. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Two lengths and a checksum before the headers; a checksum behind the payload. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
/** Bytes of header values by type; values of types 6 and 7 carry their length. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  0: 0,
  1: 0,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  8: 8,
  9: 16,
};
const STRING = 7;

function toView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Reads the headers that are strings. */
function readHeaders(bytes: Uint8Array): Map<string, string> {
  const view = toView(bytes);
  const headers = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + view.getUint8(at);
    const name = decode(bytes.subarray(at + 1, nameEnd));
    const type = view.getUint8(nameEnd);
    const fixed = VALUE_BYTES[type];
    const start = nameEnd + (fixed === undefined ? 3 : 1);
    at = start + (fixed ?? view.getUint16(nameEnd + 1));
    if (type === STRING) headers.set(name, decode(bytes.subarray(start, at)));
  }
  return headers;
}

/**
 * Creates a parser of AWS's binary event stream, which takes it piece by piece; the client verifies checksums.
 *
 * @see https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function createEventStreamDecoder(
  onMessage: (name: string, payload: string) => void,
): (chunk: Uint8Array) => void {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let wanted = PRELUDE_BYTES;
  let isBroken = false;

  const read = (message: Uint8Array): void => {
    const end = PRELUDE_BYTES + toView(message).getUint32(4);
    if (end > message.length - CHECKSUM_BYTES) return;
    const headers = readHeaders(message.subarray(PRELUDE_BYTES, end));
    const name = headers.get(":event-type") ?? headers.get(":exception-type") ?? "";
    onMessage(name, decode(message.subarray(end, -CHECKSUM_BYTES)));
  };
  return (chunk) => {
    if (isBroken) return;
    // A copy: the caller may use its buffer for the next read.
    chunks.push(chunk.slice());
    length += chunk.length;
    if (length < wanted) return;
    let bytes: Uint8Array = chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks);
    while (bytes.length >= PRELUDE_BYTES) {
      const size = toView(bytes).getUint32(0);
      isBroken = size > MAX_MESSAGE_BYTES || size < PRELUDE_BYTES + CHECKSUM_BYTES;
      if (isBroken) break;
      wanted = size;
      if (bytes.length < size) break;
      read(bytes.subarray(0, size));
      bytes = bytes.subarray(size);
      wanted = PRELUDE_BYTES;
    }
    chunks = isBroken || bytes.length === 0 ? [] : [bytes];
    length = bytes.length;
  };
}
