import type { JudgeTask } from "../judge/judge-task.ts";
import { redactFlag, redactMembers } from "../redaction/redact-event.ts";
import type { Redactor } from "../redaction/redactor.ts";

/** By what a task is redacted before it lies on a disk. */
export interface KeptTaskRedactors {
  /** Of what the platform may not see; absent where it may see everything. */
  readonly platform: Redactor | undefined;
  /** Of what the model may not see; absent where it may see everything. */
  readonly model: Redactor | undefined;
}

function redactTexts(task: JudgeTask, redactor: Redactor): JudgeTask {
  const { answer, exchange } = task;
  const redacted = redactor.value(exchange);
  const complianceFlags = answer.complianceFlags?.map((flag) => redactFlag(flag, redactor));
  return {
    ...task,
    answer: { ...answer, ...(complianceFlags && { complianceFlags }) },
    exchange: redacted,
    ...(redacted !== exchange && { isRedacted: true }),
  };
}

/** Gives a task as it may lie on the disk: without what the platform may not see, nor what the model does not get anyway. */
export function toKeptTask(task: JudgeTask, { platform, model }: KeptTaskRedactors): JudgeTask {
  const { answer } = task;
  const named = platform
    ? { ...task, answer: { ...answer, ...redactMembers(answer, platform) } }
    : task;
  return [platform, model].reduce(
    (kept, redactor) => (redactor ? redactTexts(kept, redactor) : kept),
    named,
  );
}
