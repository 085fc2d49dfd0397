import type { ChatMessage } from "../reading/chat-message.ts";
import { fill } from "../dialects/index.ts";
import { toCapturedText } from "../reading/read-attributes.ts";
import type { Failure, SpanRecord, ToolRun } from "../span-record.ts";

interface Side {
  readonly messages: readonly ChatMessage[];
  readonly isPartial: boolean;
}

/** Takes the inner span's messages, which are what was sent, unless they are cut or absent. */
function pickSide(outer: Side, inner: Side): Side {
  if (inner.messages.length === 0 || (isBlank(inner) && outer.messages.length > 0)) return outer;
  return inner.isPartial && !outer.isPartial && outer.messages.length > 0 ? outer : inner;
}

const isBlank = ({ messages }: Side): boolean =>
  messages.every(
    ({ text, toolCalls, toolResults }) =>
      toCapturedText(text) === undefined && toolCalls.length + toolResults.length === 0,
  );

const inputOf = (record: SpanRecord): Side => ({
  messages: record.input,
  isPartial: record.isInputPartial,
});
const outputOf = (record: SpanRecord): Side => ({
  messages: record.output,
  isPartial: record.isOutputPartial,
});

function mergeFailures(outer: SpanRecord, inner: SpanRecord): Failure | undefined {
  const [one, other] = [inner.failure, outer.failure];
  if (!one) return other;
  // The framework has tried again, with success.
  if (!other) return outer.isAbandoned || outer.output.length === 0 ? one : undefined;
  const detailed = one.message === "" ? other : one;
  return {
    ...detailed,
    type: one.message === "" && one.type !== "Error" ? one.type : detailed.type,
    code: one.code ?? other.code,
    stack: one.stack ?? other.stack,
  };
}

function mergeTools(outer: ToolRun | undefined, inner: ToolRun | undefined): ToolRun | undefined {
  if (!outer || !inner) return outer ?? inner;
  // A whole one wins over one that was cut.
  const [told, other] = outer.isResultPartial === true ? [inner, outer] : [outer, inner];
  const [asked, alsoAsked] = outer.areParametersPartial === true ? [inner, outer] : [outer, inner];
  const { result, isResultPartial } = told.result === undefined ? other : told;
  const { parameters, areParametersPartial } = asked.parameters === undefined ? alsoAsked : asked;
  return { ...fill(outer, inner), result, isResultPartial, parameters, areParametersPartial };
}

/**
 * Merges two spans of the same model call or the same tool's run, field by field: the inner one is nearer to the
 * facts, the outer one to the application.
 */
export function mergeRecords(outer: SpanRecord, inner: SpanRecord): SpanRecord {
  const input = pickSide(inputOf(outer), inputOf(inner));
  const output = pickSide(outputOf(outer), outputOf(inner));
  const { model, responseId } = fill(inner.identity, outer.identity);
  return {
    ...outer,
    start: inner.start,
    end: inner.isAbandoned ? outer.end : inner.end,
    identity: { ...fill(outer.identity, inner.identity), model, responseId },
    started: outer.started ?? inner.started,
    input: input.messages,
    output: output.messages,
    isInputPartial: input.isPartial,
    isOutputPartial: output.isPartial,
    usage: inner.usage ?? outer.usage,
    settings: fill(inner.settings, outer.settings),
    tool: mergeTools(outer.tool, inner.tool),
    failure: mergeFailures(outer, inner),
    evaluations: [...outer.evaluations, ...inner.evaluations],
    isAbandoned: outer.isAbandoned && inner.isAbandoned,
  };
}
