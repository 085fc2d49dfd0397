import type { AuditRecord } from "../review/audit-trail.ts";
import { listAuditOf } from "../store/audit-store.ts";
import { db, readRows } from "../store/query.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";

/** Begins the subject of whatever is done to policies. */
export const POLICY_SUBJECT = "policy/";
const MAX_VERSIONS = 2000;
const MAX_CHANGES = 100;

const SEEN = db
  .selectFrom("finding")
  .select((eb) => [
    "rule",
    "rule_version as ruleVersion",
    "pack_version as packVersion",
    eb.fn.countAll<number>().as("count"),
    eb.fn.min("at").as("firstAt"),
    eb.fn.max("at").as("lastAt"),
  ])
  .groupBy(["rule", "rule_version", "pack_version"])
  .orderBy("rule")
  .orderBy("rule_version")
  .orderBy("pack_version")
  .limit(MAX_VERSIONS);

/** A version of a rule, as findings name it. */
export interface SeenVersion {
  readonly rule: string;
  /** Empty where the findings name none. */
  readonly ruleVersion: string;
  readonly packVersion: string;
  /** Findings. */
  readonly count: number;
  /** Times of the first and the last answer with such a finding. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Lists the versions of rules and packs that findings name. */
export function* listSeenVersions(database: SqlDatabase): Steps<SeenVersion[]> {
  return yield* readRows(database, SEEN);
}

/** Something that has changed, and when. */
export type PolicyChange =
  | { readonly kind: "pack"; readonly at: number; readonly packVersion: string }
  | {
      readonly kind: "rule";
      readonly at: number;
      readonly rule: string;
      readonly ruleVersion: string;
      readonly packVersion: string;
    }
  | { readonly kind: "record"; readonly at: number; readonly record: AuditRecord };

/** Finds the versions that came after another one of the same. */
function findLater<Version extends { readonly at: number }>(
  versions: readonly Version[],
  toName: (version: Version) => string,
): Version[] {
  const first = new Map<string, Version>();
  for (const version of versions) {
    const name = toName(version);
    const known = first.get(name);
    if (!known || version.at < known.at) first.set(name, version);
  }
  return versions.filter((version) => first.get(toName(version)) !== version);
}

/** Lists the packs that findings name, each from its first finding on. */
function toPackChanges(seen: readonly SeenVersion[]): PolicyChange[] {
  const first = new Map<string, number>();
  for (const { packVersion, firstAt } of seen)
    if (packVersion !== "")
      first.set(packVersion, Math.min(first.get(packVersion) ?? firstAt, firstAt));
  return Array.from(first, ([packVersion, at]) => ({ kind: "pack", at, packVersion }));
}

/** Lists the versions of rules that replaced another one, each from its first finding on. */
function toRuleChanges(seen: readonly SeenVersion[]): PolicyChange[] {
  const versions = new Map<string, Extract<PolicyChange, { kind: "rule" }>>();
  for (const { rule, ruleVersion, packVersion, firstAt: at } of seen) {
    const key = JSON.stringify([rule, ruleVersion]);
    const known = versions.get(key);
    if (ruleVersion !== "" && (!known || at < known.at))
      versions.set(key, { kind: "rule", at, rule, ruleVersion, packVersion });
  }
  return findLater([...versions.values()], ({ rule }) => rule);
}

/** Lists how the policies have changed: what findings name for the first time, and what people did; the newest first. */
export function* listPolicyChanges(
  database: SqlDatabase,
  seen: readonly SeenVersion[],
): Steps<PolicyChange[]> {
  const records = (yield* listAuditOf(database, POLICY_SUBJECT, MAX_CHANGES)).map(
    (record): PolicyChange => ({ kind: "record", at: record.at, record }),
  );
  return [...toPackChanges(seen), ...toRuleChanges(seen), ...records]
    .toSorted((one, other) => other.at - one.at)
    .slice(0, MAX_CHANGES);
}
