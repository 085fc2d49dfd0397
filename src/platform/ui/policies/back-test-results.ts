import { html } from "htm/preact";
import type { VNode } from "preact";
import type { BackTestResult, Hit, RuleOutcome } from "../../policies/back-test.ts";
import { DataTable } from "../parts/data-table.ts";
import { SeverityBadge } from "../finding/finding.ts";
import { formatCount } from "../../../util/count-noun.ts";
import { formatDateTime, toWords } from "../parts/format.ts";

function perThousand(count: number, answers: number): string {
  return answers === 0 ? "–" : ((count * 1000) / answers).toFixed(1);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "none decided" : `${formatCount(part)} of ${formatCount(whole)}`;
}

function toRow(outcome: RuleOutcome, answers: number) {
  const { rule, name, change, hits, hitsBefore } = outcome;
  return [
    html`${name} <span class="muted below"><code>${rule}</code></span>`,
    toWords(change),
    hitsBefore === null ? "–" : formatCount(hitsBefore),
    formatCount(hits),
    perThousand(hits, answers),
    share(outcome.violationsFound, outcome.violations),
    share(outcome.falsePositivesRepeated, outcome.falsePositives),
  ];
}

function HitItem({ hit }: { hit: Hit }): VNode {
  const { severity, rule, confidence, key, at, quote, isKnown } = hit;
  return html`<li>
    <span class="line wrap">
      <${SeverityBadge} severity=${severity} />
      <code>${rule}</code>
      <span class="muted">${isKnown ? "found without the pack as well" : "new with the pack"}</span>
      ${confidence !== null && html`<span class="muted">confidence ${Math.round(confidence * 100)} %</span>`}
      <a class="end nowrap" href=${`#/c/${key}`}>${formatDateTime(at)}</a>
    </span>
    ${quote !== "" && html`<blockquote>${quote}</blockquote>`}
  </li>`;
}

/** Shows what a pack does to stored answers. */
export function BackTestResults({ result }: { result: BackTestResult }): VNode {
  const { answers, skipped, alarms, alarmsBefore, rules, hits } = result;
  return html`<p class="lead" data-alarms>
      ${`${perThousand(alarms, answers)} alarms per 1,000 answers with the pack, ${perThousand(alarmsBefore, answers)} without`}
    </p>
    <p class="muted note">
      ${`${formatCount(answers)} answers evaluated${skipped > 0 ? `, ${formatCount(skipped)} left out because their text was not stored` : ""}; an alarm is an answer in which one of these rules finds something.`}
    </p>
    <${DataTable}
      label="Rules that the pack brings or changes"
      empty="The pack brings no rule and changes none."
      columns=${[{ name: "Rule" }, { name: "Pack" }, { name: "Hits without", isNumber: true }, { name: "Hits with", isNumber: true }, { name: "Per 1,000", isNumber: true }, { name: "Violations found again", isNumber: true }, { name: "False positives repeated", isNumber: true }]}
      rows=${rules.map((outcome) => toRow(outcome, answers))}
    />
    ${
      hits.length > 0 &&
      html`<h4>Examples, masked</h4>
        <ul class="hits">
          ${hits.map((hit, index) => html`<${HitItem} key=${index} hit=${hit} />`)}
        </ul>`
    }`;
}
