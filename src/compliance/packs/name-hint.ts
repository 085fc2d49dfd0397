import { findNearestName } from "../../util/nearest-name.ts";

/** Names what was most likely meant by a name, or a line, that is none of those known. */
export function toHint(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? "" : `: did you mean "${nearest}"?`;
}
