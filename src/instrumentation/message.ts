import { cutString } from "../util/cut-string.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../util/values.ts";

/**
 * A part of a message in the format of OpenTelemetry's GenAI conventions.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/non-normative/models.ipynb
 */
export type Part =
  | { readonly type: "text"; readonly content: string }
  | {
      readonly type: "tool_call";
      readonly id: string | null;
      readonly name: string;
      readonly arguments: unknown;
    }
  | {
      readonly type: "tool_call_response";
      readonly id: string | null;
      readonly name?: string | undefined;
      readonly response: unknown;
    }
  /** Content other than text; its bytes are left out. */
  | { readonly type: "blob"; readonly modality: string };

/** A message to a model. */
export interface Message {
  readonly role: string;
  readonly parts: readonly Part[];
}

/** A message from a model. */
export interface OutputMessage extends Message {
  readonly finish_reason: string;
}

/** Creates a text part. */
export function toTextPart(content: string): Part {
  return { type: "text", content };
}

/** Creates a tool call part. */
export function toCallPart(id: unknown, name: unknown, args: unknown): Part {
  return {
    type: "tool_call",
    id: toText(id) ?? null,
    name: toText(name) ?? "",
    arguments: args ?? null,
  };
}

/** Creates a part with a tool's result. */
export function toResultPart(id: unknown, response: unknown, name?: unknown): Part {
  const known = toText(name);
  return {
    type: "tool_call_response",
    id: toText(id) ?? null,
    ...(known !== undefined && { name: known }),
    response: response ?? null,
  };
}

/** Creates a part for content other than text, with its modality: `image`, `audio`, `video`, else `file`. */
export function toBlobPart(kind: string): Part {
  return { type: "blob", modality: /image|audio|video/i.exec(kind)?.[0].toLowerCase() ?? "file" };
}

/** Reads a provider's own type of a part; `undefined` for any other part. */
type PartReader = (part: JsonRecord) => Part | undefined;

/** Reads content that is a text or a list of parts with a `type`; `toPart` reads the provider's own part types. */
export function toParts(content: unknown, toPart: PartReader = () => undefined): Part[] {
  if (typeof content === "string") return content === "" ? [] : [toTextPart(content)];
  const given = Array.isArray(content) ? content : isRecord(content) ? [content] : [];
  return given.flatMap((value: unknown) => {
    if (typeof value === "string") return [toTextPart(value)];
    const part = toRecord(value);
    const type = toText(part["type"]) ?? "";
    // A model's thinking is never recorded.
    if (/thinking|reasoning/.test(type) || part["thought"] === true) return [];
    const special = toPart(part);
    if (special) return [special];
    const text = part["text"] ?? part["refusal"];
    if (typeof text === "string") return [toTextPart(text)];
    return type === "" ? [] : [toBlobPart(type)];
  });
}

/** Returns the joined text of a result that is a list of texts, any other result unchanged. */
export function toResult(content: unknown): unknown {
  const texts = toArray(content).map((part) => toRecord(part)["text"]);
  const isText = texts.length > 0 && texts.every((text) => typeof text === "string");
  return isText ? texts.join("\n") : content;
}

/** Creates a message; its role is `tool` if it carries only results of tools. */
export function toMessage(role: string, parts: readonly Part[]): Message {
  const isResult = parts.length > 0 && parts.every(({ type }) => type === "tool_call_response");
  return { role: isResult ? "tool" : role, parts };
}

/** Reads a message with `role` and `content`, the form that most providers use. */
export function toRoleMessage(value: unknown, toPart?: PartReader): Message {
  const { role, content } = toRecord(value);
  return toMessage(toText(role) ?? "user", toParts(content, toPart));
}

/** Longest JSON of one side, in UTF-16 units; readers accept no more. */
const MAX_LENGTH = 1_000_000;
const MAX_MESSAGES = 500;

/**
 * Writes messages as JSON: the last ones if there are too many; a single message that is too long is cut, which readers
 * detect.
 */
export function toInputJson(messages: readonly Message[]): string {
  if (messages.length <= MAX_MESSAGES) {
    const json = JSON.stringify(messages);
    if (json.length <= MAX_LENGTH) return json;
  }
  const written: string[] = [];
  let length = 2;
  for (const message of messages.slice(-MAX_MESSAGES).toReversed()) {
    const json = JSON.stringify(message);
    length += json.length + 1;
    if (length > MAX_LENGTH) {
      if (written.length === 0) return cutString(`[${json}`, MAX_LENGTH);
      break;
    }
    written.push(json);
  }
  return `[${written.toReversed().join(",")}]`;
}

/** Writes a completion as JSON. @param isPartial - Leaves out the end, by which readers see that more was to come. */
export function toOutputJson(messages: readonly Message[], isPartial: boolean): string {
  const json = JSON.stringify(messages);
  if (json.length > MAX_LENGTH) return cutString(json, MAX_LENGTH);
  return isPartial ? json.slice(0, -1) : json;
}

/** Writes a list as JSON; `undefined` when it is empty or too long. */
export function toListJson(values: readonly unknown[]): string | undefined {
  if (values.length === 0) return undefined;
  const json = JSON.stringify(values);
  return json.length <= MAX_LENGTH ? json : undefined;
}
