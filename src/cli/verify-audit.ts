import type { KeyObject } from "node:crypto";
import type { VerifiableBatch } from "../delivery/chain/chain.ts";
import { type AuditReport, createAuditVerifier } from "../platform/review/audit-trail.ts";
import { countNoun } from "../util/count-noun.ts";
import { isRecord, type JsonRecord } from "../util/values.ts";

function isAuditRecord(value: unknown): value is JsonRecord {
  return isRecord(value) && typeof value["actor"] === "string" && typeof value["hash"] === "string";
}

/**
 * Verifies the records of an audit trail among batches, and hands the batches on.
 *
 * @param onRecord - Called for each record, whatever is wrong with it.
 */
export function splitAuditTrail(
  source: AsyncIterable<VerifiableBatch>,
  key: KeyObject | undefined,
  onRecord: (record: JsonRecord) => void,
) {
  const verifier = createAuditVerifier(key);
  let count = 0;
  return {
    batches: (async function* () {
      for await (const each of source) {
        if (isAuditRecord(each.batch)) {
          count++;
          verifier.add(each.batch);
          onRecord(each.batch);
        } else yield each;
      }
    })(),
    /** Returns what is known of the trail once all batches are read; `undefined` where there is none. */
    finish: (): AuditReport | undefined => (count === 0 ? undefined : verifier.finish()),
  };
}

/** Writes the result for people. */
export function formatAuditReport({
  status,
  records,
  last,
  breaks,
  breakCount,
}: AuditReport): string {
  const [first] = breaks;
  const more = breakCount > 1 ? `, and ${breakCount - 1} more` : "";
  const finding = first
    ? `BROKEN at record ${first.sequence}: ${first.kind.replaceAll("_", " ")}${more}`
    : status;
  const end = last ? `; last record ${last.sequence} ${last.hash}` : "";
  return `audit trail: ${finding}; ${countNoun(records, "record")}${end}\n`;
}
