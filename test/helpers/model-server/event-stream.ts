import { crc32 } from "node:zlib";

const STRING_HEADER = 7;
/** Two lengths and the checksum of both before the headers, one checksum behind the payload. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

function toHeader(name: string, value: string): Buffer {
  const nameBytes = Buffer.from(name);
  const valueBytes = Buffer.from(value);
  const header = Buffer.alloc(1 + nameBytes.length + 3 + valueBytes.length);
  header.writeUInt8(nameBytes.length);
  nameBytes.copy(header, 1);
  header.writeUInt8(STRING_HEADER, 1 + nameBytes.length);
  header.writeUInt16BE(valueBytes.length, 2 + nameBytes.length);
  valueBytes.copy(header, 4 + nameBytes.length);
  return header;
}

/**
 * Writes one message of AWS's binary event stream: an event or an exception.
 *
 * @see https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function toEventMessage(
  name: string,
  data: object,
  kind: "event" | "exception" = "event",
): Buffer {
  const headers = Buffer.concat([
    toHeader(`:${kind}-type`, name),
    toHeader(":content-type", "application/json"),
    toHeader(":message-type", kind),
  ]);
  const payload = Buffer.from(JSON.stringify(data));
  const size = PRELUDE_BYTES + headers.length + payload.length + CHECKSUM_BYTES;
  const message = Buffer.alloc(size);
  message.writeUInt32BE(size);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, PRELUDE_BYTES);
  payload.copy(message, PRELUDE_BYTES + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, size - CHECKSUM_BYTES)), size - CHECKSUM_BYTES);
  return message;
}
