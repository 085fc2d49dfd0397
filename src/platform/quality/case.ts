import type { AgentResponseEvent, DetailedEvent } from "../../events/detailed-event.ts";
import type { Disposition } from "../review/review-policy.ts";
import { maskJson, maskText } from "../masking.ts";

/** A finding of an answer, and what was decided about it. */
export interface CaseFinding {
  readonly rule: string;
  readonly category: string;
  /** `null` where nobody has decided. */
  readonly disposition: Disposition | null;
}

/** Decisions about an answer: about its findings, or about itself where it is of the sample. */
export interface DecidedAnswer {
  readonly eventId: string;
  readonly findings: readonly CaseFinding[];
  /** What was decided about the answer as one of the sample. */
  readonly sampled: Disposition | null;
}

/** What an engine must say of an answer, in the words that `agent-monitor check` reads. */
export interface CaseLabel {
  readonly label: "ok" | "violation";
  /** Category of the violations, where it is one. */
  readonly expectedCategory?: string;
  /** Rules that must find something; none where a violation was missed, since no rule is known for it. */
  readonly mustFlag: readonly string[];
  readonly mustNotFlag: readonly string[];
}

const namesOf = (findings: readonly CaseFinding[]): string[] => [
  ...new Set(findings.map(({ rule }) => rule)),
];

/**
 * Labels an answer by what people have decided; `undefined` where that says nothing certain: undecided or accepted findings, or too
 * little evidence. An accepted finding is right, and yet no violation.
 */
export function toCaseLabel({ findings, sampled }: DecidedAnswer): CaseLabel | undefined {
  const violations = findings.filter(({ disposition }) => disposition === "violation");
  const wrong = findings.filter(({ disposition }) => disposition === "false_positive");
  const mustFlag = namesOf(violations);
  const mustNotFlag = namesOf(wrong).filter((rule) => !mustFlag.includes(rule));
  if (violations.length > 0 || sampled === "violation") {
    const [category, ...others] = new Set(violations.map((finding) => finding.category));
    const isOne = category !== undefined && others.length === 0;
    return {
      label: "violation",
      ...(isOne && { expectedCategory: category }),
      mustFlag,
      mustNotFlag,
    };
  }
  const isAllWrong = findings.length > 0 && wrong.length === findings.length;
  const isClean = findings.length === 0 && sampled === "acceptable";
  return isAllWrong || isClean ? { label: "ok", mustFlag, mustNotFlag } : undefined;
}

const maskValue = (value: unknown): unknown =>
  value === undefined ? null : JSON.parse(maskJson(JSON.stringify(value) ?? "null"));

/** Writes an event as a turn of a conversation; `undefined` for a kind that is none. */
function toTurn(event: DetailedEvent): object | undefined {
  switch (event.interactionType) {
    case "user_message":
      return { role: "user", content: maskText(event.content) };
    case "agent_response":
      return { role: "agent", content: maskText(event.content) };
    case "tool_call": {
      const call = { name: event.toolName, arguments: maskValue(event.toolParameters) };
      return { role: "agent", content: null, tool_calls: [call] };
    }
    case "tool_result": {
      const { toolName: name, toolResult, success } = event;
      return { role: "tool", name, success, content: JSON.stringify(maskValue(toolResult)) };
    }
    default:
      return undefined;
  }
}

const CONTEXT_NAMES = ["customerProfile", "transactionContext", "riskFactors"] as const;

function toContext(answer: AgentResponseEvent): object {
  const metadata = (answer.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const given = CONTEXT_NAMES.filter((name) => metadata[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, maskValue(metadata[name])]));
}

/**
 * Writes an answer as a labelled case, a line of a file for `agent-monitor check`.
 *
 * @param before - The events before it, of which none is an answer with findings: the label is said of one answer.
 */
export function toCase(
  answer: AgentResponseEvent,
  before: readonly DetailedEvent[],
  label: CaseLabel,
): object {
  const { eventId, agentId, agentCategory, agentSpecialty, agentVersion, timestamp } = answer;
  return {
    id: eventId,
    ...label,
    agentId,
    ...(agentCategory !== undefined && { agentCategory }),
    ...(agentSpecialty !== undefined && { agentSpecialty }),
    ...(agentVersion !== undefined && { agentVersion }),
    timestamp,
    context: toContext(answer),
    turns: [...before, answer].flatMap((event) => toTurn(event) ?? []),
  };
}
