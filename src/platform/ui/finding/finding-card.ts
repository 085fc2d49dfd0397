/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { JudgeResult } from "../../../events/judge-result.ts";
import { toFindingAddress } from "./finding-address.ts";
import { JUDGE, SeverityBadge, toLook } from "./finding.ts";
import { formatDateTime, formatTime, toWords } from "../parts/format.ts";
import type { ShownFinding } from "./shown-findings.ts";

/** Describes whether an opinion confirms or contradicts the finding of the rules. */
function describeTier({ tier, quote, reason }: JudgeResult): string {
  if (tier === "contradicted") return "contradicted by the judge";
  const isShared = quote !== undefined || reason !== undefined;
  return isShared
    ? "confirmed by the judge"
    : "confirmed by digits, a tool or its rule, not found by the judge";
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
      <strong title=${JUDGE}>${tier === "confirmed" ? "✓" : "✗"} ${describeJudge(result)}</strong>
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

function describeDecision({ stored }: ShownFinding): string | undefined {
  const decision = stored?.decision;
  if (!decision) return undefined;
  const { disposition, reasonCode, comment, actor, at } = decision;
  const what = [disposition, reasonCode ?? ""].filter((part) => part !== "").map(toWords);
  const said = comment === null ? "" : `: ${comment}`;
  return `${what.join(", ")} by ${actor}, ${formatDateTime(at)} UTC${said}`;
}

/** Copies the address of a finding, and says so for a moment. */
function CopyLink({ address }: { address: string }): VNode {
  const [label, setLabel] = useState("Copy link");
  const copy = async (): Promise<void> => {
    const whole = new URL(address, location.href).href;
    try {
      await navigator.clipboard.writeText(whole);
      setLabel("Copied");
    } catch {
      // A page that came over plain HTTP from another machine has no clipboard.
      history.replaceState(null, "", address);
      setLabel("It is in the address bar");
    }
    setTimeout(() => setLabel("Copy link"), 2000);
  };
  return html`<button type="button" class="quiet" onClick=${() => void copy()}>
    <span aria-live="polite">${label}</span>
  </button>`;
}

interface FindingProps {
  readonly finding: ShownFinding;
  /** Address of the page. */
  readonly page: string;
}

function Actions({ finding, page }: FindingProps): VNode {
  const { id, again, isMarked } = finding;
  return html`<footer class="actions-of-finding">
    ${again.length > 0 && html`<span class="muted">again at</span>`}
    ${again.map(
      (each) =>
        html`<a key=${each.id} href=${toFindingAddress(page, each.id)} data-visit=${each.id}
          >${formatTime(each.at)}</a
        >`,
    )}
    <span class="end"></span>
    ${isMarked && html`<button type="button" class="quiet" data-show-mark=${id}>Show in text</button>`}
    <${CopyLink} address=${toFindingAddress(page, id)} />
  </footer>`;
}

/** Shows that an offence is said again, in a line. */
function Repeat({ finding, page }: FindingProps): VNode {
  const { id, flag, first, stored, judged } = finding;
  const decision = stored?.decision;
  return html`<article
    class="finding repeat ${toLook(flag.severity)}"
    data-finding=${id}
    tabindex="-1"
    aria-label="Finding ${flag.rule}, again"
  >
    <header>
      <${SeverityBadge} severity=${flag.severity} />
      <code>${flag.rule}</code>
      <span class="muted">again${decision ? `, ${toWords(decision.disposition)}` : ""}</span>
      ${
        first &&
        html`<a class="end" href=${toFindingAddress(page, first.id)} data-visit=${first.id}
          >first at ${formatTime(first.at)}</a
        >`
      }
    </header>
    ${judged && html`<${JudgeLine} result=${judged} />`}
  </article>`;
}

/** Lists what is known of a finding beyond its words. */
function Facts({ finding }: { finding: ShownFinding }): VNode {
  const { recommendation, context } = finding.flag;
  return html`<dl>
    <${Row} name="Decision" value=${describeDecision(finding)} />
    <${Row} name="Recommendation" value=${recommendation} />
    <${Row} name="Regulation" value=${context?.regulatoryImpact} />
    <${Row} name="Risk factors" value=${context?.riskFactors?.join(", ")} />
    <${Row} name="Same passage as" value=${context?.groupedUnder} />
    <${Row} name="Also matched" value=${context?.alsoMatched?.join(", ")} />
  </dl>`;
}

/** Shows the passage as the rule has quoted it; what the judge has quoted is in the judge's line. */
function Evidence({ flag, judged }: Pick<ShownFinding, "flag" | "judged">): VNode | null {
  const quote = flag.context?.detectedContent ?? "";
  if (quote === "" || judged?.isOpinion === false) return null;
  return html`<blockquote><mark>${quote}</mark></blockquote>`;
}

/** Shows a finding under its answer, with the judge's result and what was decided. */
export function FindingCard({ finding, page }: FindingProps): VNode {
  const { id, flag, judged, first } = finding;
  if (first) return html`<${Repeat} finding=${finding} page=${page} />`;
  const { confidence } = flag;
  return html`<article
    class="finding ${toLook(flag.severity)}"
    data-finding=${id}
    tabindex="-1"
    aria-label="Finding ${flag.rule}"
  >
    <header>
      <${SeverityBadge} severity=${flag.severity} />
      <code>${flag.rule}</code>
      <span class="muted">${toWords(flag.category)}</span>
      ${confidence !== undefined && html`<span class="muted end">confidence ${Math.round(confidence * 100)} %</span>`}
    </header>
    <p>${flag.description}</p>
    ${judged && html`<${JudgeLine} result=${judged} />`}
    <${Evidence} flag=${flag} judged=${judged} />
    <${Facts} finding=${finding} />
    <${Actions} finding=${finding} page=${page} />
  </article>`;
}
