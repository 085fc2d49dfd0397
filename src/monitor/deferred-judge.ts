/*
 * The second stage at first use, with what the rules' files say to it. Functions only: the built package loads this file, and all
 * that it alone imports, when one of them is first called; docs/decisions/0025-deferred-parts.md.
 */
import {
  openJudgeJournal,
  toKeptTask,
  type JudgeJournalOptions,
  type KeptTaskRedactors,
} from "../assessment/judge-journal.ts";
import { toJudgeRules } from "../assessment/judge-input.ts";
import { SecondStage, type SecondStageOptions } from "../assessment/second-stage.ts";
import { readBuiltInSource } from "../compliance/packs/pack-source.ts";

/** What a second stage is created with. */
export interface DeferredJudgeOptions extends Omit<SecondStageOptions, "toJudgeRules" | "journal"> {
  /** Keeps what waits beyond the end of the process; absent without a spool. */
  readonly journal:
    | (Pick<JudgeJournalOptions, "log"> & { readonly redactors: KeptTaskRedactors })
    | undefined;
}

/** Creates what has the bank's own model read what the rules leave open. */
export function createSecondStage({ journal, ...options }: DeferredJudgeOptions): SecondStage {
  return new SecondStage({
    ...options,
    journal:
      journal &&
      openJudgeJournal({
        log: journal.log,
        toKept: (task) => toKeptTask(task, journal.redactors),
      }),
    toJudgeRules: (rules) => toJudgeRules(rules, readBuiltInSource().rules),
  });
}
