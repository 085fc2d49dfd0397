import { html } from "htm/preact";
import type { VNode } from "preact";
import type { ComplianceFlag } from "../../events/compliance.ts";
import type { JudgeResult } from "../../events/judge-result.ts";
import { JudgeLine } from "./judge-view.ts";
import { SeverityBadge, toLook } from "./severity.ts";

function Row({ name, value }: { name: string; value: string | undefined }): VNode | null {
  if (value === undefined || value === "") return null;
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

/** Shows a finding under the answer that it belongs to, with what the judge says of it. */
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
