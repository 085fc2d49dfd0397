import type { InteractionContext } from "../../events/compliance.ts";
import type { Finding } from "../define-rule.ts";
import { readExchange, type Exchange } from "../text/exchange.ts";
import type { SourceText } from "../text/source-text.ts";
import { concerns, findFailedCall, isNamedIn, toOutcomes } from "../tools/outcomes.ts";
import { findContradiction } from "../tools/stated-values.ts";
import { hasFailed, listValues } from "../tools/tool-results.ts";
import type { Check, Given } from "./check.ts";

type ProbeName = "claims" | "failedClaims" | "silentClaims" | "denials";
type Probes = Given<ProbeName>["probes"];

const wordsOf = (text: SourceText | undefined): readonly string[] =>
  (text?.sentences() ?? []).flatMap(({ tokens }) => tokens.map(({ word }) => word));

function findFailed(
  context: InteractionContext,
  exchange: Exchange,
  { claims, silentClaims }: Probes,
): Finding | undefined {
  const outcomes = toOutcomes(context.toolsUsed ?? []);
  if (outcomes.failed.length === 0) return undefined;
  const answer = new Set(wordsOf(exchange.agentResponse));
  const tool = findFailedCall(outcomes, answer);
  if (!tool) return undefined;
  const isRelevant = concerns(tool, new Set([...answer, ...wordsOf(exchange.userMessage)]));
  const [claim] = [...claims(exchange), ...(isRelevant ? silentClaims(exchange) : [])];
  return (
    claim && {
      ...claim,
      pattern: "failed-tool",
      confidence: isRelevant ? 0.85 : 0.7,
      riskFactors: [`toolsUsed: ${tool.name} failed`],
    }
  );
}

/** Finds the sentence that says to be done what a call that plainly failed was to do. */
function findUndone(
  { toolsUsed = [] }: InteractionContext,
  exchange: Exchange,
  { failedClaims }: Probes,
): Finding | undefined {
  const tools = toOutcomes(toolsUsed).failed.filter(hasFailed);
  if (tools.length === 0) return undefined;
  for (const claim of failedClaims(exchange)) {
    const sentences = claim.text
      .sentences()
      .filter(({ start, end }) => start < claim.range.end && end > claim.range.start);
    const words = new Set(sentences.flatMap(({ tokens }) => tokens.map(({ word }) => word)));
    const tool = tools.find((one) => isNamedIn(one, words));
    if (tool)
      return {
        ...claim,
        pattern: "failed-tool",
        confidence: 0.85,
        riskFactors: [`toolsUsed: ${tool.name} failed`],
      };
  }
  return undefined;
}

/** "Is it on?" "It is.", when the tool says false. */
function findDeniedFlag(
  { toolsUsed = [] }: InteractionContext,
  exchange: Exchange,
  { denials }: Probes,
) {
  const asked = new Set(wordsOf(exchange.userMessage));
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
  *find(context, { probes }) {
    const exchange = readExchange(context);
    const finding =
      findFailed(context, exchange, probes) ??
      findUndone(context, exchange, probes) ??
      findMismatch(context, exchange, probes);
    if (finding) yield finding;
  },
};
