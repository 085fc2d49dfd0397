import type { CaseExchange } from "./judge-cases.ts";
import type { Question, Questions } from "./questions.ts";
import type { KnownRequest } from "./request-line.ts";

/** Which questions are asked of an exchange. */
export interface Plan {
  readonly toQuestions: (exchange: CaseExchange) => readonly Question[];
  /** Requests that were made before, and how many of them no exchange comes to any more. */
  readonly countRequests: () => { readonly missing: number; readonly known: number };
}

/** Asks what the gate lets through, as a monitor would. */
export function planByGate(questions: Questions): Plan {
  return {
    toQuestions: (exchange) => questions.toAsked(exchange),
    countRequests: () => ({ missing: 0, known: 0 }),
  };
}

/** Asks what was asked before, whatever the gate would say now. */
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
