import { BoundedMap } from "../util/bounded-map.ts";
import { textDigest } from "./assembly/text-digest.ts";
import type { ExchangeContent } from "./reading/chat-message.ts";

const MAX_ANSWERS = 10_000;

interface Remembered<T> {
  readonly userMessage: string | undefined;
  readonly value: T;
}

/**
 * Knows the answers of a trace that were judged: an agent, the model call below it and a second instrumentation of
 * the same call all carry the same one.
 */
export class AnswerMemory<T> {
  readonly #answers = new BoundedMap<string, Remembered<T>>(MAX_ANSWERS);

  /** Finds what is known of an answer; one to another message of the user is another answer. */
  find(traceId: string, { agentResponse = "", userMessage }: ExchangeContent): T | undefined {
    const found = this.#answers.get(traceId + textDigest(agentResponse));
    if (found?.userMessage === undefined || userMessage === undefined) return found?.value;
    return found.userMessage === textDigest(userMessage) ? found.value : undefined;
  }

  remember(traceId: string, { agentResponse = "", userMessage }: ExchangeContent, value: T): void {
    const asked = userMessage === undefined ? undefined : textDigest(userMessage);
    this.#answers.set(traceId + textDigest(agentResponse), { userMessage: asked, value });
  }

  clear(): void {
    this.#answers.clear();
  }
}
