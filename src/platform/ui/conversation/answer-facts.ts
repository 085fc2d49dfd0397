import type { AgentResponseEvent } from "../../../events/detailed-event.ts";
import { countNoun, formatCount } from "../../../util/count-noun.ts";
import { formatDuration } from "../parts/format.ts";
import type { TranscriptItem } from "./transcript.ts";

/** What an answer took, as far as its event says so. */
interface Usage {
  readonly model: string | undefined;
  /** Milliseconds. */
  readonly latency: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly totalTokens: number | undefined;
  /** USD. */
  readonly cost: number | undefined;
}

/** Reads what an answer took: of `llmMetadata`, else of what it has in `metadata`. */
function readUsage({ llmMetadata, metadata }: AgentResponseEvent): Usage {
  const own = llmMetadata ?? { ...metadata, latency: metadata?.llmLatency };
  const { model, latency, cost } = own;
  const { input, output, total } = own.tokensUsed ?? {};
  const inAndOut = input === undefined || output === undefined ? undefined : input + output;
  return {
    model,
    latency,
    cost,
    inputTokens: input,
    outputTokens: output,
    totalTokens: total ?? inAndOut,
  };
}

const SMALL_COST = 0.01;

/** Writes a cost in USD: small ones with two digits that count. */
function formatCost(cost: number): string {
  const isSmall = cost > 0 && cost < SMALL_COST;
  return `$${isSmall ? Number(cost.toPrecision(2)).toString() : cost.toFixed(2)}`;
}

function describeTokens({ inputTokens, outputTokens, totalTokens }: Usage): string {
  if (totalTokens === undefined) return "";
  const parts = [
    ...(inputTokens === undefined ? [] : [`${formatCount(inputTokens)} in`]),
    ...(outputTokens === undefined ? [] : [`${formatCount(outputTokens)} out`]),
  ];
  const whole = countNoun(totalTokens, "token");
  return parts.length === 0 ? whole : `${whole} (${parts.join(", ")})`;
}

/** Describes model, latency, tokens and cost of an answer, and its risk. */
export function describeAnswer(event: AgentResponseEvent): string {
  const usage = readUsage(event);
  const { model, latency, cost } = usage;
  return [
    model ?? "",
    latency === undefined ? "" : formatDuration(latency),
    describeTokens(usage),
    cost === undefined ? "" : formatCost(cost),
    event.riskScore === undefined ? "" : `risk ${Math.round(event.riskScore)}`,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function sum(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, number) => total + number, 0);
}

/** Describes a transcript in numbers: turns, tool calls and how many failed, errors, tokens, cost. */
export function describeTotals(items: readonly TranscriptItem[]): string {
  const messages = items.flatMap((item) => (item.kind === "message" ? [item.event] : []));
  const answers = messages.filter((event) => event.interactionType === "agent_response");
  const tools = items.filter((item) => item.kind === "tool");
  const failed = tools.filter(({ result }) => result?.success === false).length;
  const errors = items.filter(({ kind }) => kind === "error").length;
  const usages = answers.map(readUsage);
  const tokens = sum(usages.map(({ totalTokens }) => totalTokens));
  const cost = sum(usages.map((usage) => usage.cost));
  return [
    // A turn is what the user says and the answers to it; an agent may also speak by itself.
    countNoun(messages.length - answers.length || answers.length, "turn"),
    tools.length > 0 ? countNoun(tools.length, "tool call") : "",
    failed > 0 ? `${failed} failed` : "",
    errors > 0 ? countNoun(errors, "error") : "",
    tokens === undefined ? "" : countNoun(tokens, "token"),
    cost === undefined ? "" : formatCost(cost),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
