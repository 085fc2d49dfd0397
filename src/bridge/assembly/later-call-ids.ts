import type { SpanRecord } from "../span-record.ts";
import { signArguments, type MentionedCall } from "../emission/conversation-state.ts";

const toKey = (name: string, parameters: unknown): string =>
  `${name}\n${signArguments(parameters)}`;

/** Knows ids of tool calls that stand only in the request after the answer that asked for them. */
export class LaterCallIds {
  readonly #ids = new Map<string, string[]>();

  constructor(records: readonly SpanRecord[]) {
    const known = new Set<string>();
    for (const { output } of records) {
      for (const { toolCalls } of output) for (const { id } of toolCalls) if (id) known.add(id);
    }
    for (const { input } of records) {
      for (const { toolCalls } of input) {
        for (const { id, name, parameters } of toolCalls) {
          if (id === undefined || known.has(id)) continue;
          known.add(id);
          const key = toKey(name, parameters);
          this.#ids.set(key, [...(this.#ids.get(key) ?? []), id]);
        }
      }
    }
  }

  /** Returns the id of a call, each once and in order. */
  take({ name = "", parameters }: MentionedCall): string | undefined {
    return this.#ids.size === 0 ? undefined : this.#ids.get(toKey(name, parameters))?.shift();
  }
}
