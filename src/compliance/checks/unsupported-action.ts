import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import type { Finding } from "../rule-definition.ts";
import type { PhraseMatch } from "../../phrases/find-matches.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import type { Sentence } from "../../phrases/source-text.ts";
import {
  concerns,
  findFailedCall,
  isNamedIn,
  toOutcomes,
  type Outcomes,
} from "../tools/outcomes.ts";
import { findContradiction } from "../tools/stated-values.ts";
import { hasFailed, listValues } from "../tools/tool-results.ts";
import type { Check, Given } from "./check.ts";

type ProbeName = "claims" | "failedClaims" | "silentClaims" | "denials";
type Probes = Given<ProbeName>["probes"];

/** Confidence in a claim that shares words with the failed call, and in any other. */
const SURE = 0.85;
const UNSURE = 0.7;

const wordsOf = (sentences: readonly Sentence[] | undefined): readonly string[] =>
  (sentences ?? []).flatMap(({ tokens }) => tokens.map(({ word }) => word));

const toFinding = (claim: PhraseMatch, tool: ToolUsageInfo, confidence: number): Finding => ({
  ...claim,
  pattern: "failed-tool",
  confidence,
  riskFactors: [`toolsUsed: ${tool.name} failed`],
});

function findFailed(
  outcomes: Outcomes,
  exchange: Exchange,
  { claims, silentClaims }: Probes,
): Finding | undefined {
  if (outcomes.failed.length === 0) return undefined;
  const answer = new Set(wordsOf(exchange.agentResponse?.sentences()));
  const tool = findFailedCall(outcomes, answer);
  if (!tool) return undefined;
  const isRelevant = concerns(
    tool,
    new Set([...answer, ...wordsOf(exchange.userMessage?.sentences())]),
  );
  const [claim] = [...claims(exchange), ...(isRelevant ? silentClaims(exchange) : [])];
  return claim && toFinding(claim, tool, isRelevant ? SURE : UNSURE);
}

/** Finds the sentence that says to be done what a call that plainly failed was to do. */
function findUndone(
  { failed }: Outcomes,
  exchange: Exchange,
  { failedClaims }: Probes,
): Finding | undefined {
  const tools = failed.filter(hasFailed);
  if (tools.length === 0) return undefined;
  for (const claim of failedClaims(exchange)) {
    const sentences = claim.text
      .sentences()
      .filter(({ start, end }) => start < claim.range.end && end > claim.range.start);
    const words = new Set(wordsOf(sentences));
    const tool = tools.find((one) => isNamedIn(one, words));
    if (tool) return toFinding(claim, tool, SURE);
  }
  return undefined;
}

/** "Is it on?" "It is.", when the tool says false. */
function findDeniedFlag(
  { toolsUsed = [] }: InteractionContext,
  exchange: Exchange,
  { denials }: Probes,
) {
  const asked = new Set(wordsOf(exchange.userMessage?.sentences()));
  const tool = toolsUsed.find(({ result }) =>
    listValues(result).some(({ name, value }) => value === false && asked.has(name)),
  );
  const [claim] = tool ? denials(exchange) : [];
  return claim && tool && { ...claim, tool };
}

function findMismatch(
  context: InteractionContext,
  exchange: Exchange,
  probes: Probes,
): Finding | undefined {
  const { toolsUsed = [] } = context;
  if (toolsUsed.length === 0) return undefined;
  const denied = findDeniedFlag(context, exchange, probes);
  const tool =
    denied?.tool ??
    findContradiction(
      toolsUsed,
      exchange.agentResponse?.folded ?? "",
      exchange.userMessage?.folded ?? "",
    );
  return (
    tool && {
      pattern: "other-value",
      description: "The agent states another value than the tool gave.",
      confidence: 0.75,
      evidence: `toolsUsed: ${tool.name} gave another value`,
    }
  );
}

/** Finds claims of success, or values, that the result of the tool contradicts. */
export const unsupportedAction: Check<ProbeName> = {
  probes: ["claims", "failedClaims", "silentClaims", "denials"],
  *find(context, exchange, { probes }) {
    const outcomes = toOutcomes(context.toolsUsed ?? []);
    const finding =
      findFailed(outcomes, exchange, probes) ??
      findUndone(outcomes, exchange, probes) ??
      findMismatch(context, exchange, probes);
    if (finding) yield finding;
  },
};
