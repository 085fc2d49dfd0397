/**
 * Decodes Base64 of either alphabet, with or without padding; `undefined` for any other text.
 *
 * `Buffer.from` skips unknown characters, so that a typing error would silently make another key.
 *
 * @see RFC 4648, 4 and 5
 */
export function decodeBase64(text: string): Buffer | undefined {
  const plain = text
    .replace(/={0,2}$/, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const bytes = Buffer.from(plain, "base64");
  return bytes.toString("base64").replace(/={1,2}$/, "") === plain ? bytes : undefined;
}
