import { openTaskLog } from "../delivery/deferred-spool.ts";
import { type JudgeJournal, type JudgeTask, keptTaskSchema } from "../judge/judge-task.ts";
import { FAMILIES } from "../judge/prompt.ts";
import { redactFlag, redactMembers } from "../redaction/redact-event.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { parseJson } from "../util/values.ts";

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

/** Returns a task as it may lie on the disk: without what the platform may not see, nor what the model does not get anyway. */
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

/** What a journal of the judge works with. */
export interface JudgeJournalOptions {
  /** Where it lies, whose it is, and how it is encrypted. */
  readonly log: Parameters<typeof openTaskLog>[0];
  /** What of a task may lie on the disk. */
  readonly toKept: (task: JudgeTask) => JudgeTask;
}

/** Settings of the journal of a second stage. */
export interface JournalSettings extends Pick<JudgeJournalOptions, "log"> {
  readonly redactors: KeptTaskRedactors;
}

/** Bound in UTF-16 units of JSON: a longer task is not kept. */
const MAX_LENGTH = 1024 * 1024;

const isFamily = (value: string): value is JudgeTask["families"][number] =>
  Object.hasOwn(FAMILIES, value);

/** Reads what was kept; `undefined` when it is something else. Nobody but us writes there. */
function readTask(json: string, parts: readonly string[]): JudgeTask | undefined {
  const task = parseJson(json);
  if (!keptTaskSchema.safeParse(task).success) return undefined;
  return { ...(task as JudgeTask), families: parts.filter(isFamily) };
}

/** Opens a journal in the spool directory; it does nothing there until it is asked to. */
export function openJudgeJournal({ log, toKept }: JudgeJournalOptions): JudgeJournal {
  const tasks = openTaskLog(log);
  return {
    maxAgeMillis: log.maxSpoolAge,
    add(task) {
      try {
        const json = JSON.stringify(toKept(task));
        if (json.length > MAX_LENGTH) return false;
        return tasks.add({ id: task.answer.eventId, parts: task.families, json });
      } catch {
        // Redaction of whatever the caller gave.
        return false;
      }
    },
    finish: (eventId, family) => tasks.finish(eventId, family),
    async recover(maxTasks) {
      const left = await tasks.recover(maxTasks);
      return left.flatMap(({ id, json, parts }) => {
        const read = readTask(json, parts);
        if (read) return [read];
        for (const part of parts) tasks.finish(id, part);
        return [];
      });
    },
    close: () => tasks.close(),
  };
}
