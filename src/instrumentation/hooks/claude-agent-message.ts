import type { Attributes } from "@opentelemetry/api";
import * as semconv from "../../semconv.ts";
import { readMember } from "../../util/untrusted-values.ts";
import {
  toCallPart,
  toMessage,
  toParts,
  toResult,
  toResultPart,
  type Message,
} from "../message.ts";
import { toArray, toNumber, toText } from "../../util/values.ts";

/** A tool call of the agent. */
export interface ClaudeToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A tool's result. */
export interface ClaudeToolResult {
  readonly id: string;
  readonly content: unknown;
  readonly isError: boolean;
}

/** Tokens as Anthropic counts them: cached ones beside the input. */
export interface ClaudeUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const blocksOf = (message: unknown): readonly unknown[] => toArray(readMember(message, "content"));

/** Reads the tool calls of a model's message. */
export function readToolUses(message: unknown): ClaudeToolUse[] {
  return blocksOf(message).flatMap((block) => {
    const id = toText(readMember(block, "id"));
    if (readMember(block, "type") !== "tool_use" || id === undefined) return [];
    const name = toText(readMember(block, "name")) ?? "tool";
    return [{ id, name, input: readMember(block, "input") }];
  });
}

/** Reads the tool results in a message to the model. */
export function readToolResults(message: unknown): ClaudeToolResult[] {
  return blocksOf(message).flatMap((block) => {
    const id = toText(readMember(block, "tool_use_id"));
    if (readMember(block, "type") !== "tool_result" || id === undefined) return [];
    const isError = readMember(block, "is_error") === true;
    return [{ id, content: toResult(readMember(block, "content")), isError }];
  });
}

/** Converts a message to the conventions' format. */
export function toClaudeMessage(message: unknown, defaultRole: string): Message {
  const role = toText(readMember(message, "role")) ?? defaultRole;
  const parts = toParts(readMember(message, "content"), (block) => {
    if (block["type"] === "tool_use") return toCallPart(block["id"], block["name"], block["input"]);
    if (block["type"] !== "tool_result") return undefined;
    return toResultPart(block["tool_use_id"], toResult(block["content"]));
  });
  return toMessage(role, parts);
}

/** Reads the tokens of a message or of a whole turn. */
export function readClaudeUsage(usage: unknown): ClaudeUsage | undefined {
  const count = (name: string): number | undefined => toNumber(readMember(usage, name));
  const [input, output] = [count("input_tokens"), count("output_tokens")];
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: count("cache_read_input_tokens") ?? 0,
    cacheWrite: count("cache_creation_input_tokens") ?? 0,
  };
}

/** Returns the usage of a turn beyond its known calls; never negative. */
export function subtractUsage(total: ClaudeUsage, known: ClaudeUsage): ClaudeUsage {
  const rest = (name: keyof ClaudeUsage): number => Math.max(0, total[name] - known[name]);
  return {
    input: rest("input"),
    output: rest("output"),
    cacheRead: rest("cacheRead"),
    cacheWrite: rest("cacheWrite"),
  };
}

/** Adds the tokens of two calls. */
export function addUsage(one: ClaudeUsage, other: ClaudeUsage): ClaudeUsage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}

/** Writes tokens as the conventions count them: cached ones are part of the input. */
export function toUsageAttributes(usage: ClaudeUsage | undefined): Attributes {
  if (!usage) return {};
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    [semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS]: input + cacheRead + cacheWrite,
    [semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: output,
    [semconv.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: cacheRead,
    [semconv.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS]: cacheWrite,
  };
}

/** Returns the response's id and model. */
export function toAnswerAttributes(message: unknown): Attributes {
  return {
    [semconv.ATTR_GEN_AI_RESPONSE_ID]: toText(readMember(message, "id")),
    [semconv.ATTR_GEN_AI_RESPONSE_MODEL]: toText(readMember(message, "model")),
  };
}
