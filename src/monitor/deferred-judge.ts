/*
 * The second stage at first use, with what the rules' files say to it. Functions only: the built package loads this file, and all
 * that it alone imports, when one of them is first called; docs/decisions/0025-deferred-parts.md.
 */
import { SecondStage, type SecondStageOptions } from "../assessment/second-stage.ts";

/** Creates what has the bank's own model read what the rules leave open. */
export function createSecondStage(options: SecondStageOptions): SecondStage {
  return new SecondStage(options);
}
