import { type Code, toStatus } from "../problem.ts";
import type { Route } from "../route.ts";
import { isForReaders, isForSenders } from "./paths.ts";

/** Codes that every request may get. */
const COMMON: readonly Code[] = ["malformed_body", "internal_error", "unavailable"];
const OF_BODY: readonly Code[] = [
  "malformed_body",
  "payload_too_large",
  "unsupported_media_type",
  "unsupported_encoding",
  "checksum_mismatch",
];
const OF_SENDERS: readonly Code[] = ["unauthorized", "organization_mismatch", "too_many_requests"];
const OF_ONCE: readonly Code[] = ["invalid_action", "idempotency_conflict"];

function listCodes({ path, query, doc }: Route): readonly Code[] {
  return [
    ...COMMON,
    ...(isForReaders(path) ? (["unauthorized"] as const) : []),
    ...(isForSenders(path) ? OF_SENDERS : []),
    ...(query ? (["invalid_query"] as const) : []),
    ...(doc.body ? OF_BODY : []),
    ...(doc.role ? (["forbidden"] as const) : []),
    ...(doc.isOnce === true ? OF_ONCE : []),
    ...(doc.version === "matched" ? (["outdated"] as const) : []),
    ...(doc.problems ?? []),
  ];
}

/** Lists the problems of a route: the codes of each status. */
export function listProblems(route: Route): ReadonlyMap<number, readonly Code[]> {
  // 403 for who comes through another host name, or from another page.
  const found = new Map<number, Code[]>([[403, ["unauthorized"]]]);
  for (const code of new Set(listCodes(route))) {
    const status = toStatus(code);
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}
