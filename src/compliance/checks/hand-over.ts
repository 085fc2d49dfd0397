import type { InteractionContext } from "../../events/compliance.ts";
import type { Finding } from "../rule-definition.ts";
import type { PhraseMatch } from "../../phrases/find-matches.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import type { SourceText } from "../../phrases/source-text.ts";
import { isHandOver } from "../tools/handover-tools.ts";
import type { Check, Given } from "./check.ts";
import { inShort } from "../messages/in-short.ts";

const IGNORED_CONFIDENCE = 0.7;
const REPEATED_CONFIDENCE = 0.9;
const DENIED_CONFIDENCE = 0.85;

type ProbeName = "request" | "handOver" | "denial" | "topic" | "flatNo";
type Probes = Given<ProbeName>["probes"];

function rateIgnored(
  exchange: Exchange,
  text: SourceText,
  isDenied: boolean,
  { request }: Probes,
): number {
  const isRepeated = exchange.earlierMessages.some(
    (earlier) => request(exchange.withUserMessage(earlier)).length > 0,
  );
  if (isRepeated) return REPEATED_CONFIDENCE;
  return isDenied ? DENIED_CONFIDENCE : inShort(IGNORED_CONFIDENCE, text);
}

/** Finds the words by which the agent says no, to whoever asked for a person, or to another complaint. */
function findNo(
  exchange: Exchange,
  isAsked: boolean,
  { denial, flatNo }: Probes,
): PhraseMatch | undefined {
  const [no] = [...(isAsked ? denial(exchange) : []), ...flatNo(exchange)];
  return no;
}

function isHandedOver(
  { toolsUsed = [] }: InteractionContext,
  exchange: Exchange,
  probes: Probes,
): boolean {
  return toolsUsed.some(isHandOver) || probes.handOver(exchange).length > 0;
}

/** Finds requests for a person, and complaints, of which nothing comes: no hand-over, no ticket, no appointment. */
function* findIgnored(
  context: InteractionContext,
  exchange: Exchange,
  probes: Probes,
): Iterable<Finding> {
  const { agentResponse: text, userMessage } = exchange;
  if (!text || !userMessage) return;
  const isAsked = probes.request(exchange).length > 0;
  if (!isAsked && probes.topic(exchange).length === 0) return;
  const denied = findNo(exchange, isAsked, probes);
  if ((!isAsked && !denied) || isHandedOver(context, exchange, probes)) return;
  yield {
    pattern: denied ? "hand-over-denied" : "request-ignored",
    confidence: rateIgnored(exchange, text, denied !== undefined, probes),
    text,
    range: denied?.range ?? { start: 0, end: text.folded.length },
  };
}

/** Finds answers that keep a customer from a person: the request is ignored, or the agent says no. */
export const handOver: Check<ProbeName> = {
  probes: ["request", "handOver", "denial", "topic", "flatNo"],
  find: (context, exchange, { probes }) => findIgnored(context, exchange, probes),
};
