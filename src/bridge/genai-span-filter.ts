import { BoundedMap } from "../util/bounded-map.ts";
import { GENAI_PREFIXES, GENAI_SCOPES } from "../util/genai-names.ts";
import type { SpanLike } from "./span-record.ts";
import { ATTR_MCP_METHOD_NAME } from "../semconv.ts";

const MAX_SCOPES = 1000;

/** Prefixes of attributes that show a span worth reading. */
const PREFIXES = [...GENAI_PREFIXES, "ai.operationId", ATTR_MCP_METHOD_NAME];

/** First characters of the prefixes: one look rules out most names. */
const FIRST = new Set(PREFIXES.map((prefix) => prefix.charCodeAt(0)));

function isOurs(key: string): boolean {
  return FIRST.has(key.charCodeAt(0)) && PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** Decides cheaply which spans may be of a GenAI instrumentation; the dialects have the last word. */
export class GenAiSpanFilter {
  readonly #scopes = new BoundedMap<string, boolean>(MAX_SCOPES);

  /** Looks at the scope, which is known before any attribute. */
  isLikelyScope(name: string | undefined): boolean {
    if (name === undefined) return false;
    let isLikely = this.#scopes.get(name);
    if (isLikely === undefined) {
      isLikely = GENAI_SCOPES.test(name);
      this.#scopes.set(name, isLikely);
    }
    return isLikely;
  }

  /** Remembers a scope whose spans turned out to be of a GenAI instrumentation. */
  learn(name: string | undefined): void {
    if (name !== undefined && this.#scopes.get(name) !== true) this.#scopes.set(name, true);
  }

  /** Returns whether it is worth reading a span. */
  isLikely(span: SpanLike): boolean {
    return this.hasAttribute(span) || this.isLikelyScope(span.instrumentationScope?.name);
  }

  /** Looks for an attribute that only a GenAI instrumentation writes. */
  hasAttribute({ attributes }: SpanLike): boolean {
    for (const key in attributes) if (isOurs(key)) return true;
    return false;
  }
}
