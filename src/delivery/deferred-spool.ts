/*
 * The spool at first use. Functions only: the built package loads this file, and everything that it alone imports,
 * when one of them is first called; docs/decisions/0025-deferred-parts.md.
 */
import type { SpoolOptions } from "./spool/spool-context.ts";
import { openSpoolStorage } from "./spool/spool-storage.ts";
import { TaskLog, type TaskLogOptions } from "./spool/task-log.ts";
import type { Storage } from "./storage.ts";

/** Opens the spool of events. */
export function openSpool(options: SpoolOptions): Storage {
  return openSpoolStorage(options);
}

/** Opens the log of tasks. */
export function openTaskLog(options: TaskLogOptions): TaskLog {
  return new TaskLog(options);
}
