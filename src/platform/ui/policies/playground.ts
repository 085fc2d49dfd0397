/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { countNoun } from "../../../util/count-noun.ts";
import type { TriedResult, TriedText } from "../../policies/evaluate-text.ts";
import { SeverityBadge, toLook } from "../finding/finding.ts";
import { toWords } from "../parts/format.ts";
import { submitByKey } from "../parts/submit-by-key.ts";
import { toSegments } from "./marked-text.ts";
import { tryText } from "./policy-api.ts";
import { LawLink } from "./policy-rules.ts";

const MAX_LENGTH = 32_768;
const CATEGORIES = ["tool_calling", "persona"] as const;

type Found = TriedResult["findings"][number];

/** A text and what was found in it. */
interface Tried {
  readonly text: TriedText;
  readonly result: TriedResult;
}

function Marked({
  tried,
  source,
}: {
  tried: Tried;
  source: "agentResponse" | "userMessage";
}): VNode {
  const { text, result } = tried;
  const content = source === "agentResponse" ? text.content : (text.userMessage ?? "");
  const passages = result.findings.flatMap(({ spans }, index) =>
    spans.filter((span) => span.source === source).map(({ start, end }) => ({ start, end, index })),
  );
  return html`<p class="tried-text">
    ${toSegments(content, passages).map(({ text: part, found }, at) => {
      const [first] = found.map((index) => ({ index, finding: result.findings[index] }));
      if (!first?.finding) return part;
      const { severity, isCandidate } = first.finding;
      return html`<mark key=${at} class="${toLook(severity)} ${isCandidate ? "candidate" : ""}"
        >${part}<sup>${found.map((index) => index + 1).join(",")}</sup></mark
      >`;
    })}
  </p>`;
}

function percent(share: number | null): string {
  return share === null ? "not known" : `${Math.round(share * 100)} %`;
}

function FoundCard({ found, number }: { found: Found; number: number }): VNode {
  const { severity, rule, name, category, confidence, threshold, isCandidate } = found;
  return html`<li class="finding ${isCandidate ? "candidate" : toLook(severity)}">
    <header>
      <strong>${number}</strong>
      <${SeverityBadge} severity=${severity} />
      ${isCandidate && html`<span class="badge">candidate, below the threshold</span>`}
      <a href=${`#/policies/${rule}`}>${name}</a>
      <span class="muted">${toWords(category)}</span>
      <span class="muted end"
        >confidence ${percent(confidence)}, threshold ${percent(threshold)}</span
      >
    </header>
    <p>${found.description}</p>
    ${found.spans.length === 0 && found.quote !== null && html`<blockquote>${found.quote}</blockquote>`}
    <p class="muted">
      ${found.law && html`<${LawLink} citation=${found.law.citation} /> · `}<code
        >${found.pattern}</code
      >
    </p>
    ${found.recommendation !== null && html`<p>${found.recommendation}</p>`}
  </li>`;
}

function describe({
  findings,
  riskScore,
  requiresReview,
  rulesEvaluated,
  truncated,
}: TriedResult): string {
  const found = findings.filter(({ isCandidate }) => !isCandidate).length;
  const parts = [
    countNoun(found, "finding"),
    countNoun(findings.length - found, "candidate"),
    `risk ${Math.round(riskScore)} of 100`,
    requiresReview ? "goes to review" : "needs no review",
    `${rulesEvaluated} rules`,
    ...(truncated ? ["only the beginning was read"] : []),
  ];
  return parts.join(" · ");
}

function Result({ tried }: { tried: Tried }): VNode {
  const { result, text } = tried;
  return html`<section class="card" aria-label="Result">
    <h3>What the rules say</h3>
    <p role="status" data-result>${describe(result)}</p>
    ${
      text.userMessage !== undefined &&
      html`<h4>Customer</h4>
        <${Marked} tried=${tried} source="userMessage" />`
    }
    <h4>Agent</h4>
    <${Marked} tried=${tried} source="agentResponse" />
    <ol class="found">
      ${result.findings.map((found, index) => html`<${FoundCard} key=${index} found=${found} number=${index + 1} />`)}
    </ol>
    ${result.findings.length === 0 && html`<p class="muted">Nothing was found. That is no proof of compliance: rules find explicit wording.</p>`}
  </section>`;
}

function readText(form: HTMLFormElement): TriedText {
  const fields = new FormData(form);
  const read = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const [userMessage, channel] = [read("userMessage"), read("channel").trim()];
  return {
    content: read("content"),
    agentCategory: read("agentCategory") as TriedText["agentCategory"],
    ...(userMessage.trim() !== "" && { userMessage }),
    ...(channel !== "" && { channel }),
  };
}

/** Tries a text with the SDK's own engine. */
export function Playground(): VNode {
  const [tried, setTried] = useState<Tried>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = readText(event.currentTarget as HTMLFormElement);
    setBusy(true);
    void tryText(text)
      .then((result) => {
        setTried({ text, result });
        setFailure("");
      })
      .catch((error: unknown) =>
        setFailure(error instanceof Error ? error.message : "the platform does not answer"),
      )
      .finally(() => setBusy(false));
  };
  return html`<section class="card" aria-label="Playground">
      <h3>Try a text</h3>
      <p class="muted">
        The engine of the SDK reads it on this platform. Nothing of it is stored or logged.
      </p>
      <form class="stack" onSubmit=${submit} onKeyDown=${submitByKey}>
        <label
          >Agent's answer
          <textarea name="content" rows="6" maxlength=${MAX_LENGTH} required></textarea>
        </label>
        <label
          >Customer's message, if there is one
          <textarea name="userMessage" rows="2" maxlength=${MAX_LENGTH}></textarea>
        </label>
        <div class="fields">
          <label>
            Kind of agent
            <select name="agentCategory">
              ${CATEGORIES.map((one) => html`<option key=${one} value=${one}>${toWords(one)}</option>`)}
            </select>
          </label>
          <label>Channel <input name="channel" maxlength="64" placeholder="chat" /></label>
          <button type="submit" class="primary" disabled=${isBusy}>
            ${isBusy ? "Evaluating…" : "Evaluate"}
          </button>
          <span class="muted">Ctrl + Enter</span>
        </div>
      </form>
      <p class="failed" role="alert">${failure}</p>
    </section>
    ${tried && html`<${Result} tried=${tried} />`}`;
}
