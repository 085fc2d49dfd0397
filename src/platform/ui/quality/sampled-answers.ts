/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { ReviewAction } from "../../review/review-action.ts";
import type { Disposition } from "../../review/review-policy.ts";
import type { SampledAnswer } from "../../store/sampled-answers.ts";
import { formatDateTime, toWords } from "../parts/format.ts";
import type { Me } from "../review/review-api.ts";

/** Nothing was found in a sampled answer, so nothing was found wrongly. */
const DISPOSITIONS = [
  "acceptable",
  "violation",
  "insufficient_evidence",
] as const satisfies readonly Disposition[];

interface SampledAnswersProps {
  readonly sampled: readonly SampledAnswer[];
  readonly me: Me;
  readonly mayDecide: boolean;
  readonly onAct: (action: ReviewAction) => void;
}

function AnswerRow({
  answer,
  me,
  mayDecide,
  onAct,
}: Omit<SampledAnswersProps, "sampled"> & { readonly answer: SampledAnswer }): VNode {
  const { id, at, decision, isFlagged } = answer;
  const [chosen, setChosen] = useState<Disposition>("acceptable");
  const decide = (): void => {
    const [reasonCode] = me.review.reasonCodes[chosen] ?? [];
    const reason = reasonCode === undefined ? {} : { reasonCode };
    onAct({ action: "decide", findingIds: [id], disposition: chosen, ...reason });
  };
  const state = isFlagged ? "something was found in it since" : "not decided";
  return html`<li>
    <span>Answer of ${formatDateTime(at)}</span>
    <span class="muted">
      ${decision ? `${toWords(decision.disposition)}, ${decision.actor}` : state}
    </span>
    ${
      mayDecide &&
      !isFlagged &&
      html`<span class="line">
        <select
          aria-label="Decision about the sampled answer"
          value=${chosen}
          onChange=${(event: Event) => setChosen((event.currentTarget as HTMLSelectElement).value as Disposition)}
        >
          ${DISPOSITIONS.map((name) => html`<option key=${name} value=${name}>${toWords(name)}</option>`)}
        </select>
        <button type="button" onClick=${decide}>Decide</button>
      </span>`
    }
  </li>`;
}

/** Shows the answers of an item that are in the sample, and takes a decision about each. */
export function SampledAnswers({ sampled, ...rest }: SampledAnswersProps): VNode | null {
  if (sampled.length === 0) return null;
  return html`<section aria-label="Sampled answers">
    <h3>${countNoun(sampled.length, "sampled answer")}</h3>
    <ul class="offences">
      ${sampled.map((answer) => html`<${AnswerRow} key=${answer.id} answer=${answer} ...${rest} />`)}
    </ul>
  </section>`;
}
