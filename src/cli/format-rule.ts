import type { RuleLaw, RulePack } from "../testing.ts";

/** Writes a law: its citation, whether it binds, and when it was read. */
export function formatLaw({ citation, status, asOf }: RuleLaw): string {
  return `${citation} (${status}, as of ${asOf})`;
}

/** Writes a pack as findings name it. */
export function formatPack({ id, version, sha256 }: RulePack): string {
  return `${id} ${version}, SHA-256 ${sha256}`;
}
