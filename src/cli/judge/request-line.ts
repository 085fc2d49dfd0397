import type { JudgeRequest } from "../../config/judge-options.ts";
import type { JudgeReason } from "../../judge/judge-task.ts";
import { isRecord, toRecord, type JsonRecord } from "../../util/values.ts";
import type { Place } from "../check/finding.ts";
import { LineProblem } from "../read-lines.ts";
import type { CaseExchange } from "./judge-cases.ts";
import type { Question, QuestionOptions, Questions } from "./questions.ts";

/** A line of `requests.jsonl`: a request, and its exchange. */
interface RequestLine extends JudgeRequest {
  /** Id of the conversation, else number of its line. */
  readonly case: string;
  /** Number of the answer's message in the conversation, from 1. */
  readonly exchange: number;
  readonly reason: JudgeReason;
  /** Settings of the judge that choose and shape requests: the reader of the replies recreates the requests with them. */
  readonly settings: RequestSettings;
}

/** Settings of the judge that choose and shape requests. */
export type RequestSettings = Pick<
  QuestionOptions,
  "gate" | "sampleRate" | "sampleSeed" | "content" | "maxTextLength"
>;

/** Returns the line of a question. */
export function toRequestLine(
  { request, reason }: Question,
  place: Place,
  { gate, sampleRate, sampleSeed, content, maxTextLength }: RequestSettings,
): RequestLine {
  const { line, conversation, userTurn, agentTurn = userTurn } = place;
  return {
    ...request,
    case: conversation ?? `line ${line}`,
    exchange: agentTurn ?? 1,
    reason,
    settings: { gate, sampleRate, sampleSeed, content, maxTextLength },
  };
}

const REASONS: ReadonlySet<unknown> = new Set(["finding", "candidate", "sample", "everything"]);

/** Members of a line beside the request's texts, which are created anew. */
export type KnownRequest = Pick<RequestLine, "id" | "reason"> & {
  /** Settings as written in the line. */
  readonly settings: JsonRecord;
};

/** Reads the id and the reason of a line's request. @throws LineProblem */
export function readRequestLine(value: unknown): KnownRequest {
  if (!isRecord(value)) throw new LineProblem("", "an object with id", value);
  const { id, reason, settings } = value;
  if (typeof id !== "string" || id === "") throw new LineProblem("id", "the id of a request", id);
  return {
    id,
    reason: REASONS.has(reason) ? (reason as JudgeReason) : "everything",
    settings: toRecord(settings),
  };
}

/** Selects the questions asked of an exchange. */
export interface Plan {
  readonly toQuestions: (exchange: CaseExchange) => readonly Question[];
  /** Counts recorded requests, and those that no exchange leads to any more. */
  readonly countRequests: () => { readonly missing: number; readonly known: number };
}

/** Asks the questions that the gate lets through, as a monitor would. */
export function planByGate(questions: Questions): Plan {
  return {
    toQuestions: (exchange) => questions.toAsked(exchange),
    countRequests: () => ({ missing: 0, known: 0 }),
  };
}

/** Asks the recorded questions, without the gate. */
export function planByRequests(questions: Questions, requests: readonly KnownRequest[]): Plan {
  const known = new Map(requests.map((request) => [request.id, request]));
  const made = new Set<string>();
  return {
    toQuestions(exchange) {
      const all = questions.toAll(exchange, questions.families, "everything");
      return all.flatMap((question) => {
        const request = known.get(question.request.id);
        if (!request) return [];
        made.add(request.id);
        return [{ ...question, reason: request.reason }];
      });
    },
    countRequests: () => ({ missing: known.size - made.size, known: known.size }),
  };
}
