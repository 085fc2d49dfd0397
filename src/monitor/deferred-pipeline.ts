/*
 * The way of events at first use: what a process that imports the package and creates no monitor never reads. Functions only: the
 * built package loads this file, and all that it alone imports, when one of them is first called;
 * docs/decisions/0025-deferred-parts.md.
 */
import { Pipeline, type PipelineOptions } from "./pipeline.ts";

/** Creates what joins the rooms of a monitor. */
export function createPipeline(options: PipelineOptions): Pipeline {
  return new Pipeline(options);
}
