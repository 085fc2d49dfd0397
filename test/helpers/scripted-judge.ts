import type { JudgeModel } from "../../src/config/judge-options.ts";
import type { JudgeRequest } from "../../src/config/judge-options.ts";

/** What a scripted model claims. */
export interface ScriptedClaim {
  readonly ruleId: string;
  readonly quote: string;
  readonly reason?: string;
  readonly confidence?: number;
}

/** A model that replies what a test tells it to. */
export interface ScriptedJudge {
  readonly model: JudgeModel;
  readonly requests: JudgeRequest[];
  /** Claims for a request; those of rules that it does not list are left out. */
  claims: readonly ScriptedClaim[];
  /** Replies instead, if it is there. */
  reply: JudgeModel | undefined;
}

/** Creates a scripted model; it claims nothing at first. */
export function createScriptedJudge(claims: readonly ScriptedClaim[] = []): ScriptedJudge {
  const judge: ScriptedJudge = {
    requests: [],
    claims,
    reply: undefined,
    model: async (request, call) => {
      judge.requests.push(request);
      if (judge.reply) return judge.reply(request, call);
      const findings = judge.claims
        .filter(({ ruleId }) => request.ruleIds.includes(ruleId))
        .map((claim) => ({ reason: "It says so.", confidence: 0.9, ...claim }));
      const usage = { inputTokens: 100, outputTokens: 10 };
      return { content: JSON.stringify({ findings }), model: "scripted-1", usage };
    },
  };
  return judge;
}
