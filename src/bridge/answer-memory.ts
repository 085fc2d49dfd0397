import { hash } from "node:crypto";
import { BoundedMap } from "../util/bounded-map.ts";
import type { ExchangeContent } from "./span-exchange.ts";

const MAX_ANSWERS = 10_000;
/** UTF-16 units at either end of a text that tell it from others, together with its length. */
const MAX_HASHED_LENGTH = 16 * 1024;

interface Remembered<T> {
  readonly userMessage: string | undefined;
  readonly value: T;
}

function digest(text: string): string {
  const trimmed = text.trim();
  const part =
    trimmed.length <= 2 * MAX_HASHED_LENGTH
      ? trimmed
      : `${trimmed.slice(0, MAX_HASHED_LENGTH)}${trimmed.length}${trimmed.slice(-MAX_HASHED_LENGTH)}`;
  return hash("sha256", part, "base64");
}

/**
 * Knows the answers of a trace that were judged: an agent, the model call below it and a second instrumentation of
 * the same call all carry the same one.
 */
export class AnswerMemory<T> {
  readonly #answers = new BoundedMap<string, Remembered<T>>(MAX_ANSWERS);

  /** Finds what is known of an answer; one to another message of the user is another answer. */
  find(traceId: string, { agentResponse = "", userMessage }: ExchangeContent): T | undefined {
    const found = this.#answers.get(traceId + digest(agentResponse));
    if (!found) return undefined;
    const asked = userMessage === undefined ? undefined : digest(userMessage);
    const isSame =
      asked === undefined || found.userMessage === undefined || asked === found.userMessage;
    return isSame ? found.value : undefined;
  }

  remember(traceId: string, { agentResponse = "", userMessage }: ExchangeContent, value: T): void {
    const asked = userMessage === undefined ? undefined : digest(userMessage);
    this.#answers.set(traceId + digest(agentResponse), { userMessage: asked, value });
  }

  clear(): void {
    this.#answers.clear();
  }
}
