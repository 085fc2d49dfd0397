import type { ToolUsageInfo } from "../events/compliance.ts";

/** The members of a span that dialects read; spans of every SDK version have them, and so have plain objects. */
export interface SpanLike {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly instrumentationScope?: { readonly name: string };
  readonly events?: readonly {
    readonly name: string;
    readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  }[];
}

/**
 * What a span stands for: a model `call`, an `agent` (or another run that ends with an answer), a `workflow` that
 * only groups others, a `tool`, or something else of a GenAI instrumentation.
 */
export type SpanRole = "call" | "agent" | "workflow" | "tool" | "other";

/** Who took part in an exchange, as far as a span or a log record says. */
export interface ExchangeIdentity {
  readonly agentId?: string | undefined;
  readonly agentName?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly model?: string | undefined;
  readonly responseId?: string | undefined;
}

/** The text of an exchange. */
export interface ExchangeContent {
  /** The user's last message before the answer. */
  readonly userMessage?: string | undefined;
  readonly agentResponse?: string | undefined;
  /** Tool calls since the user's last message, with their results as far as they are known. */
  readonly toolsUsed?: readonly ToolUsageInfo[] | undefined;
  /** Set when a limit cut the content, so that only a part could be read. */
  readonly isPartial?: true | undefined;
}

/** What a span says of one exchange between a user and an agent. */
export interface SpanExchange extends ExchangeIdentity, ExchangeContent {
  readonly role: SpanRole;
}

/** Reads the spans of one instrumentation family; pure functions that never throw and keep nothing. */
export interface Dialect {
  readonly name: string;
  /** Tells what a span stands for; `undefined` when it is not of this dialect. */
  toRole(span: SpanLike): SpanRole | undefined;
  /** Reads who took part, of a span that is of this dialect. */
  toIdentity(span: SpanLike): ExchangeIdentity;
  /** Reads the messages of a model call or of an agent's run. */
  toContent(span: SpanLike, role: SpanRole): ExchangeContent;
}
