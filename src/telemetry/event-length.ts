/**
 * Measures an event, so that one that was read back can be compared with the one that was written: counts its members
 * and the UTF-16 units of its texts. Whatever an attribute limit cuts or drops makes it shorter.
 */
export function toEventLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let length = 0;
  for (const member of Object.values(value)) {
    if (member !== undefined) length += 1 + toEventLength(member);
  }
  return length;
}
