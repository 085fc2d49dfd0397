import type { JudgeTask } from "../judge/judge-task.ts";
import { redactFlag } from "../redaction/redact-event.ts";
import type { Redactor } from "../redaction/redactor.ts";

/** Gives a task as it may lie on the disk: without what the platform may not see either. */
export function toKeptTask(task: JudgeTask, redactor: Redactor | undefined): JudgeTask {
  if (!redactor) return task;
  const { answer, exchange } = task;
  const { agentId, sessionId, conversationId, userId, complianceFlags } = answer;
  const hide = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : redactor.identifier(value);
  const redacted = redactor.value(exchange);
  return {
    ...task,
    answer: {
      ...answer,
      agentId: redactor.identifier(agentId),
      sessionId: redactor.identifier(sessionId),
      conversationId: hide(conversationId),
      userId: hide(userId),
      complianceFlags: complianceFlags?.map((flag) => redactFlag(flag, redactor)),
    },
    exchange: redacted,
    ...(redacted !== exchange && { isRedacted: true }),
  };
}
