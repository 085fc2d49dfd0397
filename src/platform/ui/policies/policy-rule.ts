/// <reference lib="dom" />
import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { countNoun, formatCount } from "../../../util/count-noun.ts";
import type { PolicyDetail } from "../../policies/policy-catalog.ts";
import { ApiError } from "../api.ts";
import { DataTable } from "../parts/data-table.ts";
import { SeverityBadge } from "../finding/finding.ts";
import { formatDateTime, toWords } from "../parts/format.ts";
import { Placeholder } from "../parts/placeholder.ts";
import { loadRule, type Policies } from "./policy-api.ts";
import { LawLink, sumUpSeen } from "./policy-rules.ts";

function Facts({ rule }: { rule: PolicyDetail }): VNode {
  const { law } = rule;
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ["Id", html`<code>${rule.id}</code>`],
    ["Version", rule.version ?? "–"],
    [
      "Law",
      html`<${LawLink} citation=${law.citation} /><span class="muted">
          (${law.status}, read ${law.asOf})</span
        >`,
    ],
    ["To know of it", law.note],
    ["A finding says", rule.explanation],
    ["What to do", rule.recommendation],
    ["To apply it", rule.notes],
    ["Threshold", `${rule.threshold}: what is found with less confidence is a candidate`],
    ["Review", rule.alwaysReview ? "always, whatever the risk" : "by the risk of the answer"],
    ["Telemetry", rule.confidential ? "kept out: it would reveal a report" : undefined],
    ["Second look", rule.hasSecondLook ? "yes, by the learned model" : "none"],
  ];
  return html`<dl class="facts">
    ${facts
      .filter(([, value]) => value !== undefined && value !== null)
      .map(
        ([name, value]) =>
          html`<dt key=${name}>${name}</dt>
            <dd>${value}</dd>`,
      )}
  </dl>`;
}

function Versions({ id, policies }: { id: string; policies: Policies }): VNode {
  const { count, own } = sumUpSeen(policies.seen, id);
  return html`<section class="card" aria-label="Versions">
    <h3>What has arrived</h3>
    <${DataTable}
      label="Versions that findings name"
      empty="No finding of this rule has arrived."
      columns=${[{ name: "Version" }, { name: "Pack" }, { name: "Findings", isNumber: true }, { name: "First", isNumber: true }, { name: "Last", isNumber: true }]}
      rows=${own.map((row) => [
        row.ruleVersion || "not said",
        row.packVersion || "not said",
        formatCount(row.count),
        formatDateTime(row.firstAt),
        formatDateTime(row.lastAt),
      ])}
    />
    ${count > 0 && html`<p class="note"><a href=${`#/queue?state=any&rule=${id}`}>Its conversations in the queue</a>, with what was decided about them</p>`}
  </section>`;
}

function Pattern({
  pattern,
  rule,
}: {
  pattern: PolicyDetail["patterns"][number];
  rule: PolicyDetail;
}): VNode {
  const { id, lines, right, alarms } = pattern;
  const { measured } = rule;
  const figures =
    right === null
      ? "not measured"
      : `found in ${formatCount(right)} of ${countNoun(measured.violations, "violation")} of its area, and in ${formatCount(alarms ?? 0)} of ${countNoun(measured.ordinary, "ordinary answer")}`;
  return html`<li>
    <code>${id.slice(rule.id.length + 1)}</code> <span class="muted">${figures}</span>
    ${
      lines.length > 0 &&
      html`<details>
        <summary>${countNoun(lines.length, "phrase")}</summary>
        <pre tabindex="0">${lines.join("\n")}</pre>
      </details>`
    }
  </li>`;
}

function Cases({ title, cases }: { title: string; cases: readonly string[] }): VNode {
  const shown = cases.filter((text) => text !== "");
  return html`<section class="card" aria-label=${title}>
    <h3>${title}</h3>
    ${shown.length === 0 && html`<p class="muted">They are shown by tools, not by a text.</p>`}
    <ul class="quotes">
      ${shown.map((text) => html`<li key=${text}>${text}</li>`)}
    </ul>
  </section>`;
}

/** Shows one rule: its law, what it looks for, and what has arrived of it. */
export function PolicyRule({ id, policies }: { id: string; policies: Policies }): VNode {
  const [rule, setRule] = useState<PolicyDetail | "missing" | undefined>();
  const [failure, setFailure] = useState("");
  useEffect(() => {
    loadRule(id).then(setRule, (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) setRule("missing");
      else setFailure("The rule could not be loaded. Choose it again.");
    });
  }, [id]);
  if (failure !== "") return html`<p class="notice" role="status">${failure}</p>`;
  if (rule === undefined || rule === "missing")
    return html`<${Placeholder} state=${rule} noun="rule" list="#/policies" />`;
  return html`<section class="card" aria-label="Rule">
      <a class="back" href="#/policies">← Rules</a>
      <h3 class="rule-name">
        ${rule.name} <${SeverityBadge} severity=${rule.severity} />
        <span class="muted">${toWords(rule.category)}</span>
      </h3>
      <p class="lead">${rule.description}</p>
      <${Facts} rule=${rule} />
    </section>
    <${Versions} id=${id} policies=${policies} />
    <section class="card" aria-label="Patterns">
      <h3>What it looks for</h3>
      <ul class="patterns">
        ${rule.patterns.map((pattern) => html`<${Pattern} key=${pattern.id} pattern=${pattern} rule=${rule} />`)}
      </ul>
    </section>
    <div class="pair">
      <${Cases} title="Breaks it" cases=${rule.cases.violating} />
      <${Cases} title="Doesn't break it" cases=${rule.cases.compliant} />
    </div>`;
}
