import { askJudge } from "../../judge/ask-judge.ts";
import type { Judgement } from "../../judge/judgement.ts";
import type { Clock } from "../../util/clock.ts";
import type { Answer, Ask } from "./answer.ts";
import type { Question } from "./questions.ts";
import { toEnvelope, type RecordedReplies, type RecordedReply } from "./recorded-replies.ts";

const STILL: Clock = { now: () => 0, monotonic: () => 0, schedule: () => () => undefined };

function toLatency(calls: readonly RecordedReply[]): number | undefined {
  const known = calls.flatMap(({ latency }) => (latency === undefined ? [] : [latency]));
  return known.length < calls.length ? undefined : known.reduce((sum, one) => sum + one, 0);
}

/** Gives calls without a reply the reasons that were recorded. */
function withReasons(judgement: Judgement, calls: readonly RecordedReply[]): Judgement {
  const { failure } = calls.at(-1) ?? {};
  return {
    ...judgement,
    ...(failure !== undefined && { failure }),
    failedCalls: judgement.failedCalls.map((call, index) => {
      const reason = calls[index]?.failure;
      return reason === undefined ? call : { ...call, failure: reason };
    }),
  };
}

async function replay(
  { request, sent }: Question,
  recorded: readonly RecordedReply[],
): Promise<Answer> {
  const rest = [...recorded];
  const calls: RecordedReply[] = [];
  const judgement = await askJudge(request, sent, {
    clock: STILL,
    timeout: 0,
    async model() {
      const reply = rest.shift();
      if (reply) calls.push(reply);
      if (!reply || reply.failure !== undefined) throw new Error("no reply was recorded");
      return toEnvelope(reply);
    },
    admitRetry: async () => rest.length > 0,
  });
  return { judgement: withReasons(judgement, calls), latency: toLatency(calls) };
}

/** Answers questions with recorded replies, which are read and checked as those of a model are. */
export function replayReplies(replies: RecordedReplies): Ask {
  return async (question) => {
    const recorded = replies.get(question.request.id);
    return recorded ? replay(question, recorded) : "not_recorded";
  };
}
