import type { Attributes } from "@opentelemetry/api";
import * as semconv from "../semconv.ts";
import { isRecord, parseJson, toNumber, toText } from "../util/values.ts";
import * as genAi from "./message.ts";

/** Tokens of a call. `input` includes the cached ones, as the conventions count. */
export interface Usage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** Tokens as a provider or a library reports them; a value that is not a number is unknown. */
export type GivenUsage = Readonly<Partial<Record<keyof Usage, unknown>>>;

/** Writes the tokens of a call. */
export function toUsageAttributes(usage: GivenUsage): Attributes {
  return {
    [semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS]: toNumber(usage.input),
    [semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: toNumber(usage.output),
    [semconv.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: toNumber(usage.cacheRead),
    [semconv.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS]: toNumber(usage.cacheWrite),
  };
}

/** Error of a call as the provider names it. */
export interface ProviderError {
  /** The provider's name for the kind: `rate_limit_error`. */
  readonly type: string | undefined;
  readonly message: string | undefined;
}

/** Text that was added to a part of a completion. */
export interface TextDelta {
  readonly piece: string;
  readonly key: string;
  readonly choice: number;
}

/** Longest text that is kept of one completion, in UTF-16 units; readers of spans accept no more. */
const MAX_LENGTH = 1_000_000;
const MAX_CHOICES = 16;
const MAX_PARTS = 256;
/** Most pieces that are kept apart until they are joined: each needs memory beside its text. */
const MAX_PIECES = 256;

/** Providers' names of the conventions' finish reasons. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stop: ["complete", "completed", "end_turn", "stop_sequence"],
    tool_call: ["function_call", "tool_calls", "tool_use"],
    length: ["max_tokens", "max_output_tokens", "model_length"],
    content_filter: [
      "safety",
      "refusal",
      "prohibited_content",
      "guardrail_intervened",
      "content_filtered",
    ],
  }).flatMap(([reason, names]) => names.map((name) => [name, reason])),
);

/** Converts a finish reason to the conventions' name. */
function toFinishReason(given: string): string {
  const name = given.toLowerCase();
  return FINISH_REASONS.get(name) ?? name;
}

function toCount(value: unknown): number | undefined {
  const count = toNumber(value);
  return count !== undefined && count >= 0 ? count : undefined;
}

interface Draft {
  pieces: string[];
  /** Set for a tool call; `json` when its arguments came as an object, which the caller may change later. */
  call: { id: unknown; name: unknown; json: string | undefined } | undefined;
}

interface Choice {
  readonly drafts: Map<string, Draft>;
  finishReason: string | undefined;
}

function toPart({ pieces, call }: Draft): genAi.Part | undefined {
  const text = pieces.join("");
  if (!call) return text === "" ? undefined : genAi.toTextPart(text);
  const json = call.json ?? (text === "" ? "{}" : text);
  const given = parseJson(json) ?? json;
  return genAi.toCallPart(call.id, call.name, given);
}

/** Returns the finish reason; some providers report `stop` for a choice that calls tools. */
function toReason({ drafts, finishReason }: Choice): string | undefined {
  const isCall = [...drafts.values()].some(({ call }) => call);
  return finishReason === "stop" && isCall ? "tool_call" : finishReason;
}

/** Collects a model's completion, piece by piece or as a whole; bounded. */
export class Completion {
  id: string | undefined;
  model: string | undefined;
  usage: Usage = {};
  error: ProviderError | undefined;
  /** Whether the protocol has announced the end. */
  isTerminated = false;
  /** Whether text was left out because there was too much. */
  isCut = false;
  /** Number of changes, by which a reader sees whether an event has brought anything. */
  changes = 0;
  /** The text that was added last. */
  lastText: TextDelta | undefined;
  /** Length of the kept text, in UTF-16 units. */
  length = 0;
  readonly #choices = new Map<number, Choice>();
  #keys = 0;

  /** Returns a key that no part has yet, for parts that come whole. */
  nextKey(): string {
    return String(this.#keys++);
  }

  /** Records the completion's id and model; a value that is not a string changes nothing. */
  identify(id: unknown, model: unknown): void {
    const [newId, newModel] = [toText(id) ?? this.id, toText(model) ?? this.model];
    if (newId === this.id && newModel === this.model) return;
    this.changes++;
    this.id = newId;
    this.model = newModel;
  }

  /** Adds text to a part. @param key - Key of the part within its choice. */
  addText(piece: unknown, key = "text", choice = 0): void {
    if (typeof piece !== "string" || piece === "") return;
    this.changes++;
    this.lastText = { piece, key, choice };
    const draft = this.#draft(key, choice);
    if (draft) this.#append(draft, piece);
  }

  /** Adds to a tool call: id, name, and arguments as pieces of JSON or as an object. */
  addCall(
    call: { readonly id?: unknown; readonly name?: unknown; readonly args?: unknown },
    key: string,
    choice = 0,
  ): void {
    this.changes++;
    const draft = this.#draft(key, choice);
    if (!draft) return;
    draft.call ??= { id: undefined, name: undefined, json: undefined };
    draft.call.id = toText(call.id) ?? draft.call.id;
    draft.call.name = toText(call.name) ?? draft.call.name;
    if (typeof call.args === "string") this.#append(draft, call.args);
    else if (isRecord(call.args)) this.#setValue(draft.call, call.args);
  }

  /** Adds a part that came whole, if it is a text or a tool call. */
  addPart(part: genAi.Part, key = "text", choice = 0): void {
    if (part.type === "text") this.addText(part.content, key, choice);
    else if (part.type === "tool_call") {
      this.addCall({ ...part, args: part.arguments }, key, choice);
    }
  }

  /** Records why a choice ended. */
  finish(reason: unknown, choice = 0): void {
    const given = toText(reason);
    if (given !== undefined) this.changes++;
    const target = given === undefined ? undefined : this.#choice(choice);
    if (given !== undefined && target) target.finishReason = toFinishReason(given);
  }

  /** Records tokens; a value that is not a number changes nothing. */
  count(usage: GivenUsage): void {
    this.changes++;
    const { input, output, cacheRead, cacheWrite } = this.usage;
    this.usage = {
      input: toCount(usage.input) ?? input,
      output: toCount(usage.output) ?? output,
      cacheRead: toCount(usage.cacheRead) ?? cacheRead,
      cacheWrite: toCount(usage.cacheWrite) ?? cacheWrite,
    };
  }

  /** Records the tokens of a provider that counts cached ones apart from the input; the conventions include them. */
  countCached(usage: GivenUsage): void {
    // The end of a stream may omit the cache counts of its start.
    const cacheRead = toNumber(usage.cacheRead) ?? this.usage.cacheRead;
    const cacheWrite = toNumber(usage.cacheWrite) ?? this.usage.cacheWrite;
    const input = toNumber(usage.input);
    const total = input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0);
    this.count({ input: total, output: usage.output, cacheRead, cacheWrite });
  }

  /** Drops the parts that came so far: the whole completion follows. */
  clear(): void {
    this.changes++;
    this.#choices.clear();
    this.length = 0;
    this.isCut = false;
  }

  /** Whether no part of a completion has come yet. */
  get isEmpty(): boolean {
    return this.#choices.size === 0;
  }

  /** Whether the model has given a finish reason or the protocol has announced the end. */
  get isComplete(): boolean {
    const choices = [...this.#choices.values()];
    return this.isTerminated || choices.some(({ finishReason }) => finishReason !== undefined);
  }

  get finishReasons(): string[] {
    const reasons = [...this.#choices.values()].map(toReason);
    return reasons.filter((reason) => reason !== undefined);
  }

  /** Returns the messages. @param fallback - Finish reason of choices that have none of their own. */
  toMessages(fallback: string | undefined): genAi.OutputMessage[] {
    return [...this.#choices.values()].map((choice) => {
      const parts = [...choice.drafts.values()].map(toPart).filter((part) => part !== undefined);
      return { role: "assistant", parts, finish_reason: toReason(choice) ?? fallback ?? "" };
    });
  }

  #choice(index: number): Choice | undefined {
    let choice = this.#choices.get(index);
    if (!choice && this.#choices.size < MAX_CHOICES) {
      choice = { drafts: new Map(), finishReason: undefined };
      this.#choices.set(index, choice);
    }
    return choice;
  }

  #draft(key: string, index: number): Draft | undefined {
    const choice = this.#choice(index);
    if (!choice) return undefined;
    let draft = choice.drafts.get(key);
    if (!draft && choice.drafts.size < MAX_PARTS) {
      draft = { pieces: [], call: undefined };
      choice.drafts.set(key, draft);
    }
    return draft;
  }

  #append(draft: Draft, piece: string): void {
    const room = MAX_LENGTH - this.length;
    if (piece.length > room) this.isCut = true;
    if (room <= 0) return;
    const kept = piece.length > room ? piece.slice(0, room) : piece;
    this.length += kept.length;
    draft.pieces.push(kept);
    if (draft.pieces.length >= MAX_PIECES) draft.pieces = [draft.pieces.join("")];
  }

  #setValue(call: NonNullable<Draft["call"]>, value: Readonly<Record<string, unknown>>): void {
    const json = JSON.stringify(value);
    if (json.length <= MAX_LENGTH - this.length) {
      this.length += json.length;
      call.json = json;
    } else this.isCut = true;
  }
}
