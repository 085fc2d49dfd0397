import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { decodeBase64 } from "./base64.ts";

/** `alg` of every signature here. @see RFC 9421, 3.3.3 */
export const SIGNATURE_ALGORITHM = "hmac-sha256";

const MIN_KEY_BYTES = 32;

/** A part of a request that is signed: its name and its value as it is on the wire. */
export type SignatureComponent = readonly [name: string, value: string];

/**
 * Reads a key for signatures: Base64 of 32 bytes or more, else text of 32 bytes or more.
 *
 * White space around it does not count: a secret read from a file often ends with a line break.
 *
 * @returns `undefined` when it is too short.
 */
export function readSigningKey(given: string): KeyObject | undefined {
  const text = given.trim();
  const decoded = decodeBase64(text);
  const bytes = decoded && decoded.length >= MIN_KEY_BYTES ? decoded : Buffer.from(text);
  return bytes.length >= MIN_KEY_BYTES ? createSecretKey(bytes) : undefined;
}

/** Writes a string as structured fields do. @see RFC 8941, 3.3.3 */
export function toStructuredString(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

/**
 * Writes the signature base.
 *
 * @param parameters - The member of `Signature-Input` without its label: the names and the parameters.
 * @see RFC 9421, 2.5
 */
export function toSignatureBase(
  components: readonly SignatureComponent[],
  parameters: string,
): string {
  const lines = components.map(([name, value]) => `"${name}": ${value}`);
  return [...lines, `"@signature-params": ${parameters}`].join("\n");
}

/** Signs with HMAC-SHA256. @see RFC 9421, 3.3.3 */
export function signBase(base: string, key: KeyObject): Buffer {
  return createHmac("sha256", key).update(base).digest();
}
