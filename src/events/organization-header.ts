/** What a header carries as it is. */
const VISIBLE_ASCII = /^[\u0021-\u007e]+$/;
/** Begins an extended value: character set and language, which is none. @see RFC 8187, 3.2.1 */
const EXTENDED_PREFIX = "UTF-8''";
/** What `encodeURIComponent` leaves, and an extended value may not hold. */
const RESERVED = /[*'()]/g;

function isExtended(text: string): boolean {
  return text.slice(0, EXTENDED_PREFIX.length).toUpperCase() === EXTENDED_PREFIX;
}

/**
 * Writes an organization's identifier for a header: as it is, or as an extended value where it has spaces or characters
 * beyond ASCII, `UTF-8''First%20Bank`.
 *
 * @see RFC 8187
 */
export function toOrganizationHeader(organizationId: string): string {
  if (VISIBLE_ASCII.test(organizationId) && !isExtended(organizationId)) return organizationId;
  const toHex = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return EXTENDED_PREFIX + encodeURIComponent(organizationId).replace(RESERVED, toHex);
}

/** Reads an organization's identifier out of a header; `undefined` when it is encoded wrongly. */
export function fromOrganizationHeader(text: string): string | undefined {
  if (!isExtended(text)) return text;
  try {
    return decodeURIComponent(text.slice(EXTENDED_PREFIX.length));
  } catch {
    return undefined;
  }
}
