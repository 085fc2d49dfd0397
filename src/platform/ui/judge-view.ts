import { html } from "htm/preact";
import type { VNode } from "preact";
import type { ComplianceFlag } from "../../events/compliance.ts";
import type { JudgeResult } from "../../events/judge-result.ts";

/** Says how an opinion stands to the finding of the rules. */
function describeTier({ tier, quote, reason }: JudgeResult): string {
  if (tier === "contradicted") return "contradicted by the judge";
  const isShared = quote !== undefined || reason !== undefined;
  return isShared
    ? "confirmed by the judge"
    : "confirmed by digits, a tool or its rule, not found by the judge";
}

/** Two findings of one rule in an answer stand on different passages. */
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

/** Shows beside a finding what the judge says of it: tier, reason and quote. */
export function JudgeLine({ result }: { result: JudgeResult }): VNode {
  const { tier, reason, quote, isOpinion, finding, requiresReview } = result;
  // What the judge found itself is described by its reason already.
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
