import type { HrTime } from "@opentelemetry/api";
import type { ReadMessages, ExchangeContent } from "./reading/chat-message.ts";
import type {
  CallUsage,
  Failure,
  SpanTraits,
  ToolRun,
  SpanRole,
  ExchangeIdentity,
} from "./span-record.ts";

/** The members of a span that dialects read; spans of every SDK version have them, and so have plain objects. */
export interface SpanLike {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly instrumentationScope?: { readonly name: string };
  readonly status?: { readonly code: number; readonly message?: string | undefined } | undefined;
  readonly events?: readonly {
    readonly name: string;
    readonly attributes?: Readonly<Record<string, unknown>> | undefined;
    readonly time?: HrTime | undefined;
  }[];
}

/** What a span says of one exchange between a user and an agent. */
export interface SpanExchange extends ExchangeIdentity, ExchangeContent {
  readonly role: SpanRole;
}

/** An exchange whose answer was assessed when its span or log record came; whoever assessed it knows what was found. */
export interface AssessedExchange {
  readonly exchange: ExchangeContent;
}

/** The messages that a span carries. */
export interface SpanMessages {
  readonly input: ReadMessages;
  readonly output: ReadMessages;
}

/** Reads the spans of one instrumentation family; pure functions that never throw and keep nothing. */
export interface Dialect {
  readonly name: string;
  /** Returns what a span stands for; `undefined` when it is not of this dialect. */
  toRole(span: SpanLike): SpanRole | undefined;
  /** Reads who took part, of a span that is of this dialect. */
  toIdentity(span: SpanLike): ExchangeIdentity;
  /** Reads the messages of a model call or of an agent's run. */
  toMessages(span: SpanLike, role: SpanRole): SpanMessages;
  /** Reads the tool of a tool's span. @defaultValue the attributes of the conventions */
  toTool?(span: SpanLike): Partial<ToolRun>;
  /** Reads the tokens of a model call. @defaultValue the attributes of the conventions */
  toUsage?(span: SpanLike): CallUsage | undefined;
  /** Returns what is special about a span. */
  toTraits?(span: SpanLike): SpanTraits;
  /** Reads a failure that neither status, exception nor `error.type` tells. */
  toFailure?(span: SpanLike): Failure | undefined;
}
