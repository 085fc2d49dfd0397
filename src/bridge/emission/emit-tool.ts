import type { SpanRecord } from "../span-record.ts";
import type { SeenToolCall } from "./conversation-state.ts";
import type { Turn } from "./turn.ts";

/** A run of a tool, and how to tell what happened inside it. */
export interface ToolStep {
  readonly run: SpanRecord;
  /** @returns A model call whose tokens the result is to carry. */
  readonly emitInside?: (() => SpanRecord | undefined) | undefined;
}

function emitAsked(run: SpanRecord, turn: Turn): SeenToolCall | undefined {
  if (!run.tool) return undefined;
  const { id, name, parameters, areParametersPartial: isPartial } = run.tool;
  const mentioned = { id, name, parameters, isPartial };
  const known = turn.conversation.findAwaiting(mentioned);
  const told = known ?? turn.call(mentioned, run, run.start, turn.spend());
  told.id ??= id;
  told.hasRun = true;
  return told;
}

function emitOutcome(run: SpanRecord, told: SeenToolCall, turn: Turn): void {
  if (told.hasResult) return;
  const result = run.tool?.result;
  // Never ended: whether it did anything is unknown, and the next message of the model may tell.
  const isUnknown = result === undefined && (run.isAbandoned || !run.failure);
  if (isUnknown) (turn.deferred ??= new Map()).set(told, run);
  else turn.result(told, result, run, run, run.tool?.isResultPartial);
}

/** Emits tools that ran side by side: the calls, unless the model's answer has brought them, and the results. */
export function emitTools(steps: readonly ToolStep[], turn: Turn): void {
  const asked = steps.map((step) => ({ ...step, told: emitAsked(step.run, turn) }));
  // In the order of the calls: what starts in one millisecond may have started in any.
  asked.sort((one, other) => (one.told?.order ?? 0) - (other.told?.order ?? 0));
  for (const { run, told, emitInside } of asked) {
    const made = emitInside?.();
    if (made) turn.save(made);
    if (told) emitOutcome(run, told, turn);
  }
}

/** Puts runs together that overlap: they were asked for at once. */
export function toBatches<T extends { readonly start: number; readonly end: number }>(
  steps: readonly T[],
  isTool: (step: T) => boolean,
): T[][] {
  const batches: T[][] = [];
  let end = 0;
  for (const step of steps) {
    const last = batches.at(-1);
    if (last?.[0] && isTool(step) && isTool(last[0]) && step.start < end) {
      last.push(step);
      end = Math.max(end, step.end);
    } else {
      batches.push([step]);
      end = step.end;
    }
  }
  return batches;
}
