import type { ToolUsageInfo } from "../../events/compliance.ts";
import { ownMembers } from "../../util/untrusted-values.ts";
import type { Finding } from "../rule-definition.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import { findForeignNames } from "../messages/foreign-names.ts";
import type { SourceText } from "../../phrases/source-text.ts";
import { wordSet } from "../../text/word-set.ts";
import { statesForbiddenRecord } from "../tools/unauthorised-reads.ts";
import { toolWords } from "../tools/tool-words.ts";
import type { Check, Given } from "./check.ts";
import { inShort } from "../messages/in-short.ts";

const MAX_MEMBERS = 64;
const TOOL_CONFIDENCE = 0.85;
const NAME_CONFIDENCE = 0.75;
const ANSWER_CONFIDENCE = 0.7;

const PROBES = [
  "personAsked",
  "factTold",
  "authorisedByUser",
  "authorised",
  "accountTold",
  "accountAsked",
  "entitled",
] as const;
type ProbeName = (typeof PROBES)[number];
type Probes = Given<ProbeName>["probes"];

/**
 * Finds what the agent says about somebody whose money the user asked about.
 *
 * @param isNamed - Whether the answer gives account data of somebody by name as well.
 */
function* findAnswer(exchange: Exchange, probes: Probes, isNamed: boolean): Iterable<Finding> {
  if (!exchange.userMessage || probes.personAsked(exchange).length === 0) return;
  const [fact] = probes.factTold(exchange);
  if (!fact) return;
  const isAuthorised = [probes.authorisedByUser, probes.authorised].some(
    (probe) => probe(exchange).length > 0,
  );
  const confidence = isNamed ? ANSWER_CONFIDENCE : inShort(ANSWER_CONFIDENCE, fact.text);
  if (!isAuthorised) yield { pattern: "asked-person", confidence, ...fact };
}

/** Finds persons by their names, of whom the agent gives account data. */
function* findNamed(exchange: Exchange, probes: Probes): Iterable<Finding> {
  const text = exchange.agentResponse;
  if (!text) return;
  const phrases = {
    states: probes.accountTold.group(),
    asks: probes.accountAsked.group(),
    unless: probes.entitled.group(),
  };
  for (const range of findForeignNames(exchange, phrases))
    yield { pattern: "named-person", confidence: NAME_CONFIDENCE, text, range };
}

const READING = wordSet(
  "get fetch read lookup look find search query load list show view retrieve check pull",
);
const RECORDS = wordSet(`
  account accounts balance balances card cards loan loans credit details info data
  transaction transactions payment payments statement statements history
  profile customer record records
`);
const CUSTOMER_KEYS = wordSet("customerid custid clientid memberid cif cifnumber");

function readCustomerIds(parameters: unknown): string[] {
  if (typeof parameters !== "object" || parameters === null) return [];
  return [...ownMembers(parameters, MAX_MEMBERS)].flatMap(([key, value]) =>
    CUSTOMER_KEYS.has(toolWords(key).join("")) &&
    (typeof value === "string" || typeof value === "number")
      ? [String(value).trim()]
      : [],
  );
}

/** Returns whether a tool read the records of another customer than the session's. */
function readsAnother({ name, parameters, success }: ToolUsageInfo, customerId: string): boolean {
  const words = toolWords(name);
  return (
    success &&
    words.some((word) => READING.has(word)) &&
    words.some((word) => RECORDS.has(word)) &&
    readCustomerIds(parameters).some((id) => id !== "" && id !== customerId)
  );
}

/** Finds tools that read the records of another customer than the session's. */
function* findReads(
  toolsUsed: readonly ToolUsageInfo[],
  customerId: string | undefined,
): Iterable<Finding> {
  if (customerId === undefined || customerId === "") return;
  for (const [index, tool] of toolsUsed.entries()) {
    if (!readsAnother(tool, customerId)) continue;
    yield {
      pattern: "another-customer",
      description: "A tool read the records of another customer than the session's.",
      confidence: TOOL_CONFIDENCE,
      evidence: `toolsUsed[${index}] (${tool.name}) reads another customer's records`,
    };
  }
}

/** Finds records that were read for somebody who is not entitled to them, and whose figures the answer states. */
function* findForbidden(
  toolsUsed: readonly ToolUsageInfo[],
  answer: SourceText | undefined,
): Iterable<Finding> {
  for (const [index, tool] of toolsUsed.entries()) {
    if (!answer || !statesForbiddenRecord(tool, answer.folded)) continue;
    yield {
      pattern: "not-entitled",
      description: "The agent states a record that the tool says the caller is not entitled to.",
      confidence: TOOL_CONFIDENCE,
      evidence: `toolsUsed[${index}] (${tool.name}) names no relation or authority of the caller`,
    };
  }
}

/** Finds account data of somebody other than the session's customer: asked for, by name, or read by a tool. */
export const thirdParty: Check<ProbeName> = {
  probes: PROBES,
  *find(context, exchange, { probes }) {
    const named = [...findNamed(exchange, probes)];
    yield* findAnswer(exchange, probes, named.length > 0);
    yield* named;
    yield* findForbidden(context.toolsUsed ?? [], exchange.agentResponse);
    yield* findReads(context.toolsUsed ?? [], context.customerProfile?.customerId);
  },
};
