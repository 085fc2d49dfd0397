const FEW = 4096;
const BYTES = Uint16Array.BYTES_PER_ELEMENT;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

let codes = new Uint16Array(FEW);
let bytes = Buffer.from(codes.buffer);

/**
 * Gives the UTF-16 units of a text, which are read several times faster from here than from the text itself.
 *
 * @returns A view of memory that the next call writes to.
 */
export function toCodes(text: string): Uint16Array {
  const { length } = text;
  if (length > codes.length) {
    codes = new Uint16Array(length * 2);
    bytes = Buffer.from(codes.buffer);
  }
  bytes.write(text, 0, length * BYTES, "utf16le");
  if (!isLittleEndian) bytes.subarray(0, length * BYTES).swap16();
  return codes.subarray(0, length);
}
