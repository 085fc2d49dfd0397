import { cutString } from "../util/cut-string.ts";
import type { Message } from "./message.ts";

/** Content of one side, in UTF-16 units of JSON; readers take no more. */
const MAX_LENGTH = 1_000_000;
const MAX_MESSAGES = 500;

/** Writes messages as JSON: the last ones, when there are too many; one that is too long is cut, which readers see. */
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

/** Writes an answer as JSON. @param isPartial - Leaves the end out, by which readers see that more was to come. */
export function toOutputJson(messages: readonly Message[], isPartial: boolean): string {
  const json = JSON.stringify(messages);
  if (json.length > MAX_LENGTH) return cutString(json, MAX_LENGTH);
  return isPartial ? json.slice(0, -1) : json;
}

/** Writes anything else as JSON; `undefined` when it is too much. */
export function toOtherJson(value: unknown): string | undefined {
  const json = JSON.stringify(value) as string | undefined;
  return json !== undefined && json.length <= MAX_LENGTH ? json : undefined;
}
