import type { HrTime } from "@opentelemetry/api";
import type { ConversationScope } from "../scope/scopes.ts";
import type { ExchangeContent, ReadMessages } from "./reading/chat-message.ts";
import type { Attributes } from "./reading/read-attributes.ts";
import type { Evaluation } from "./reading/read-evaluations.ts";

/** A type whose members can be set. */
export type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

/** Who takes part as the code around a span says it, when the span starts. */
export interface StartIdentity {
  /** The `conversation()` that runs: it wins over what spans say. */
  readonly scope?: ConversationScope | undefined;
  /** Baggage, and attributes of the span around: they fill what spans leave open. */
  readonly around?: ExchangeIdentity | undefined;
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
  readonly agentVersion?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly model?: string | undefined;
  readonly responseId?: string | undefined;
}

/**
 * Tokens of one model call, as the provider itself counts them: OpenAI and Gemini count cached tokens as part of the
 * input, Anthropic counts them beside it.
 */
export interface CallUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** A failure as a span states it. */
export interface Failure {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Status of the provider's answer, else the code of the error. */
  readonly code?: string | undefined;
}

/** One run of a tool. */
export interface ToolRun {
  readonly id: string | undefined;
  readonly name: string;
  readonly parameters: unknown;
  /** Whether a limit cut the arguments. */
  readonly areParametersPartial?: boolean | undefined;
  readonly result: unknown;
  /** Whether a limit cut the result. */
  readonly isResultPartial?: boolean | undefined;
}

/** The settings of a model call, as far as they are known. */
export interface CallSettings {
  readonly provider?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** In one vocabulary: `stop`, `length`, `tool_call`, `content_filter`, `error`. */
  readonly finishReason?: string | undefined;
  /** How often the client sent the request again. */
  readonly retries?: number | undefined;
  /** The provider's id of the request, which its support asks for. */
  readonly providerRequestId?: string | undefined;
  /** Milliseconds until the first piece of a streamed answer. */
  readonly timeToFirstChunk?: number | undefined;
}

/** What a reader must know of the spans of some producers. */
export interface SpanTraits {
  /** Set when the span may hold several turns of a conversation. */
  readonly holdsTurns?: boolean | undefined;
  /** Set when spans do not name the parent that they ran inside of, which only their times show. */
  readonly isFlat?: boolean | undefined;
  /** Set when the span of an answer that came whole says why it ended, or what it took. */
  readonly saysWhyItEnded?: boolean | undefined;
}

/** What one span of any instrumentation says, and its log records with it. */
export interface SpanRecord extends SpanTraits, SpanMessages {
  readonly role: SpanRole;
  readonly name: string;
  /** Name of the instrumentation. */
  readonly scope: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly traceId: string;
  /** Milliseconds since the Unix epoch. */
  readonly start: number;
  /** Milliseconds since the Unix epoch. */
  readonly end: number;
  /** Counts what came, at its start if that was seen: it orders what began in one millisecond. */
  readonly order: number;
  readonly identity: ExchangeIdentity;
  /** What the code around said when the span started. */
  readonly started: StartIdentity | undefined;
  readonly serviceName: string | undefined;
  readonly usage: CallUsage | undefined;
  readonly settings: CallSettings;
  readonly tool: ToolRun | undefined;
  readonly failure: Failure | undefined;
  /** What was judged of the answer, by whom. */
  readonly evaluations: readonly Evaluation[];
  /** Set when the span never ended. */
  readonly isAbandoned: boolean;
  /** Set when only what was asked is known yet: what comes of it is emitted later. */
  readonly isUnderWay?: boolean | undefined;
  /** Set when what it was asked was emitted before. */
  readonly isContinued?: boolean | undefined;
  /** Stands for records of no span in ids of events: more of the same span may come later. */
  readonly ownId?: string | undefined;
  /** Set when no trace has it, so that its ids say nothing to anybody else. */
  readonly isUntraced?: boolean | undefined;
}

/** The members of a span that dialects read; spans of every SDK version have them, and so have plain objects. */
export interface SpanLike {
  readonly name: string;
  readonly attributes: Attributes;
  readonly instrumentationScope?: { readonly name: string };
  readonly status?: { readonly code: number; readonly message?: string | undefined } | undefined;
  readonly events?: readonly {
    readonly name: string;
    readonly attributes?: Attributes | undefined;
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
  /**
   * Reads who took part, of a span that is of this dialect.
   *
   * @param conventions - What the attributes of the conventions say of it.
   * @defaultValue the same
   */
  toIdentity?(span: SpanLike, conventions: ExchangeIdentity): ExchangeIdentity;
  /** Reads the messages of a model call or of an agent's run. @defaultValue those of the conventions */
  toMessages?(span: SpanLike): SpanMessages;
  /** Reads the tool of a tool's span. @defaultValue the attributes of the conventions */
  toTool?(span: SpanLike): Partial<ToolRun>;
  /** Reads the tokens of a model call. @defaultValue the attributes of the conventions */
  toUsage?(span: SpanLike): CallUsage | undefined;
  /** Returns what is special about a span. */
  toTraits?(span: SpanLike): SpanTraits;
  /** Reads a failure that neither status, exception nor `error.type` states. */
  toFailure?(span: SpanLike): Failure | undefined;
}
