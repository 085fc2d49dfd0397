import { html } from "htm/preact";
import type { VNode } from "preact";
import type { ComplianceFlag } from "../../events/compliance.ts";
import type { JudgeResult } from "../../events/judge-result.ts";

const MARKS: Readonly<Record<string, { icon: string; word: string; look: string }>> = {
  violation: { icon: "▲", word: "violation", look: "violation" },
  critical: { icon: "▲", word: "critical", look: "violation" },
  high: { icon: "▲", word: "high", look: "violation" },
  warning: { icon: "◆", word: "warning", look: "warning" },
  medium: { icon: "◆", word: "medium", look: "warning" },
  info: { icon: "●", word: "info", look: "info" },
  low: { icon: "●", word: "low", look: "info" },
};

/** Returns the class of a severity's colours. */
export function toLook(severity: string): string {
  return MARKS[severity]?.look ?? "info";
}

/** Shows a severity as icon and word: colour alone is invisible to some readers. */
export function SeverityBadge({ severity }: { severity: string }): VNode | null {
  const mark = MARKS[severity];
  if (!mark) return null;
  return html`<span class="badge ${mark.look}"
    ><span aria-hidden="true">${mark.icon}</span> ${mark.word}</span
  >`;
}

/** Shows that a person must look at something. */
export function ReviewBadge(): VNode {
  return html`<span class="badge review">review</span>`;
}

/** Describes whether an opinion confirms or contradicts the finding of the rules. */
function describeTier({ tier, quote, reason }: JudgeResult): string {
  if (tier === "contradicted") return "contradicted by the judge";
  const isShared = quote !== undefined || reason !== undefined;
  return isShared
    ? "confirmed by the judge"
    : "confirmed by digits, a tool or its rule, not found by the judge";
}

/** Identifies a finding's passage: two findings of one rule in an answer have different passages. */
const toPlace = ({ rule, context }: ComplianceFlag): string =>
  JSON.stringify([rule, context?.detectedPattern, context?.["spans"] ?? context?.detectedContent]);

/** Finds the judge's opinion on a finding of the rules. */
export function findOpinion(
  results: readonly JudgeResult[],
  flag: ComplianceFlag,
): JudgeResult | undefined {
  const opinions = results.filter(
    ({ isOpinion, finding }) => isOpinion && finding.rule === flag.rule,
  );
  return opinions.find(({ finding }) => toPlace(finding) === toPlace(flag));
}

function describeJudge(result: JudgeResult): string {
  const { isOpinion, model, confidence } = result;
  const name = model === undefined ? "" : ` (${model})`;
  const sure = confidence === undefined ? "" : `, ${Math.round(confidence * 100)} % sure`;
  return isOpinion ? `${describeTier(result)}${name}${sure}` : `found by the judge${name}`;
}

/** Shows the judge's result beside a finding: tier, reason and quote. */
function JudgeLine({ result }: { result: JudgeResult }): VNode {
  const { tier, reason, quote, isOpinion, finding, requiresReview } = result;
  // A finding of the judge's own already has its reason as description.
  const shownReason = isOpinion || reason !== finding.description ? reason : undefined;
  return html`<div class="judge ${tier}" data-judge=${tier}>
    <p>
      <strong>${tier === "confirmed" ? "✓" : "✗"} ${describeJudge(result)}</strong>
      ${tier === "contradicted" && html`<span class="muted"> ${requiresReview ? "in the sample that is reviewed" : "not in the sample that is reviewed"}</span>`}
    </p>
    ${shownReason !== undefined && html`<p>${shownReason}</p>`}
    ${quote !== undefined && html`<blockquote><mark>${quote}</mark></blockquote>`}
  </div>`;
}

function Row({ name, value }: { name: string; value: string | undefined }): VNode | null {
  if (value === undefined || value === "") return null;
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

/** Shows a finding under its answer, with the judge's result. */
export function Finding({
  flag,
  judged,
}: {
  flag: ComplianceFlag;
  judged?: JudgeResult | undefined;
}): VNode {
  const { context, confidence } = flag;
  const evidence = context?.detectedContent;
  return html`<article class="finding ${toLook(flag.severity)}" data-finding tabindex="-1">
    <header>
      <${SeverityBadge} severity=${flag.severity} />
      <code>${flag.rule}</code>
      <span class="muted">${flag.category.replaceAll("_", " ")}</span>
      ${confidence !== undefined && html`<span class="muted end">confidence ${Math.round(confidence * 100)} %</span>`}
    </header>
    <p>${flag.description}</p>
    ${judged && html`<${JudgeLine} result=${judged} />`}
    ${evidence !== undefined && evidence !== "" && html`<blockquote><mark>${evidence}</mark></blockquote>`}
    <dl>
      <${Row} name="Recommendation" value=${flag.recommendation} />
      <${Row} name="Regulation" value=${context?.regulatoryImpact} />
      <${Row} name="Risk factors" value=${context?.riskFactors?.join(", ")} />
      <${Row} name="Same passage as" value=${context?.groupedUnder} />
      <${Row} name="Also matched" value=${context?.alsoMatched?.join(", ")} />
    </dl>
  </article>`;
}
