import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";
import type { PolicyChange } from "../../policies/policy-store.ts";
import { DataTable } from "../parts/data-table.ts";
import { formatDateTime, toWords } from "../parts/format.ts";
import type { Policies } from "./policy-api.ts";

function describeRecord({
  action,
  detail,
}: Extract<PolicyChange, { kind: "record" }>["record"]): string {
  const { packId, version, sha256, answers, alarms } = JSON.parse(detail) as Readonly<
    Record<string, unknown>
  >;
  const pack =
    typeof packId === "string"
      ? `${packId} ${String(version)} (${String(sha256).slice(0, 12)})`
      : "";
  const found =
    typeof answers === "number" ? `: ${Number(alarms)} alarms in ${answers} answers` : "";
  return `${toWords(action.replace(/^policy\./, ""))} ${pack}${found}`.trim();
}

function toRow(change: PolicyChange): readonly ComponentChildren[] {
  const time = formatDateTime(change.at);
  if (change.kind === "pack")
    return [
      time,
      html`Pack <strong>${change.packVersion}</strong> first named by a finding`,
      "arrival",
    ];
  if (change.kind === "rule")
    return [
      time,
      html`<a href=${`#/policies/${change.rule}`}>${change.rule}</a> first in version
        <strong> ${change.ruleVersion}</strong>`,
      "arrival",
    ];
  return [time, describeRecord(change.record), change.record.actor];
}

/** Shows how the policies have changed. */
export function PolicyChanges({ policies }: { policies: Policies }): VNode {
  return html`<section class="card" aria-label="Changes">
    <h3>History of changes</h3>
    <${DataTable}
      label="Changes, the newest first"
      empty="No finding has arrived yet, and nobody has tested a pack."
      columns=${[{ name: "Time (UTC)" }, { name: "What" }, { name: "By" }]}
      rows=${policies.changes.map(toRow)}
    />
  </section>`;
}
