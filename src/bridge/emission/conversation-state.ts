import { BoundedMap } from "../../util/bounded-map.ts";
import { cutString } from "../../util/cut-string.ts";
import { signArguments, textDigest } from "../assembly/text-digest.ts";
import type { SpanRecord } from "../span-record.ts";

/** A tool call that was emitted, and whether its result was. */
export interface SeenToolCall {
  id: string | undefined;
  readonly name: string;
  readonly signature: string;
  hasResult: boolean;
  /** Counts the calls of the conversation. */
  readonly order: number;
  /** Whether a span of its own was seen. */
  hasRun: boolean;
}

/** A tool call as a message or a tool's run mentions it. */
export interface MentionedCall {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly parameters?: unknown;
  /** Set when a limit cut the arguments. */
  readonly isPartial?: boolean | undefined;
}

/** What is remembered of one turn, in numbers of each. */
const MAX_REMEMBERED = 500;
/** UTF-16 units of a question that are kept for the rules, and of an answer that stands for itself. */
const MAX_TEXT_LENGTH = 8192;

/** Returns what an answer is compared by: to keep one of the usual length takes less time than to hash it. */
function toComparable(answer: string): string {
  const trimmed = answer.trim();
  return trimmed.length > MAX_TEXT_LENGTH ? textDigest(trimmed) : trimmed;
}

function remember<T>(list: T[], value: T): void {
  list.push(value);
  if (list.length > MAX_REMEMBERED) list.shift();
}

/**
 * Remembers what was emitted of a conversation, so that history that is sent along again is not emitted twice.
 *
 * Only the turn that runs and the question of the one before matter: what stands before an answer in the history is
 * never emitted.
 */
export class ConversationState {
  /** The session as it was emitted first: calls of other traces may join. */
  readonly sessionId: string;
  /** Whether something was emitted that has no answer yet. */
  isOpen = false;
  /** What the user said last, as far as it is kept. */
  question: string | undefined;
  /** When something was emitted last, milliseconds since the Unix epoch. */
  lastAt = 0;
  /** The trace of which a question was emitted that was not captured: the calls of a loop have the same one. */
  unseenTrace: string | undefined;
  /** The trace in which the turn has failed. */
  failedTrace: string | undefined;
  #unnamed: SpanRecord | undefined;
  #unnamedScope: string | undefined;
  #users: string[] = [];
  #usersBefore: string[] = [];
  #calls: SeenToolCall[] = [];
  #order = 0;
  #answer: string | undefined;
  readonly #responses = new BoundedMap<string, string[]>(MAX_REMEMBERED);

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** Takes note of the trace that goes on; one after a failure begins a turn of its own. */
  enter(traceId: string): void {
    if (this.failedTrace === undefined || this.failedTrace === traceId) return;
    this.#close();
  }

  /** Returns whether the user's message was emitted in this turn. */
  hasUser(text: string): boolean {
    return this.#users.length > 0 && this.#users.includes(textDigest(text));
  }

  /** Returns whether the user's message was emitted in the turn that was answered last. */
  hadUser(text: string): boolean {
    return !this.isOpen && this.#usersBefore.includes(textDigest(text));
  }

  noteUser(text: string): void {
    remember(this.#users, textDigest(text));
    if (text !== "") this.question = cutString(text, MAX_TEXT_LENGTH);
    this.isOpen = true;
  }

  /** Returns whether an answer is the one that was emitted last. */
  isLastAnswer(text: string): boolean {
    return !this.isOpen && this.#answer === toComparable(text);
  }

  noteAnswer(text: string): void {
    this.#answer = toComparable(text);
    this.#close();
  }

  /**
   * Returns whether this response of the model is new, and remembers it.
   *
   * @param input - Stands for what it answers, if that is known: caches and gateways give the same id again.
   */
  isNewResponse(traceId: string, id: string, input: string): boolean {
    const key = traceId + id;
    const inputs = this.#responses.get(key);
    if (!inputs) {
      this.#responses.set(key, [input]);
      return true;
    }
    if (input === "" || inputs.includes("") || inputs.includes(input)) return false;
    remember(inputs, input);
    return true;
  }

  /**
   * Finds a call of this turn that a message mentions.
   *
   * @param matched - Calls that other mentions in the same messages stand for.
   */
  findCall(
    { id, name, parameters }: MentionedCall,
    matched: ReadonlySet<SeenToolCall>,
  ): SeenToolCall | undefined {
    const byId = this.#findById(id);
    if (byId) return byId;
    const signature = signArguments(parameters);
    return this.#calls.find(
      (call) =>
        !matched.has(call) &&
        call.name === name &&
        call.signature === signature &&
        (id === undefined || call.id === undefined),
    );
  }

  /** Finds the call that a result belongs to: by its id, else the first of its name that waits for one. */
  findAwaiting({ id, name, parameters }: MentionedCall): SeenToolCall | undefined {
    const byId = this.#findById(id);
    if (byId) return byId;
    const signature = parameters === undefined ? undefined : signArguments(parameters);
    const awaiting = this.#calls.filter(
      (call) =>
        !call.hasResult &&
        (name === undefined || call.name === name) &&
        (id === undefined || call.id === undefined || call.signature === signature),
    );
    return (
      awaiting.find((call) => call.signature === signature) ??
      awaiting[0] ??
      (signature === undefined ? undefined : this.findUnrun(name, signature))
    );
  }

  /** Returns whether tools of these names were asked for in this turn, or one that nothing names. */
  mayHaveAsked(names: readonly (string | undefined)[]): boolean {
    if (this.#unnamedScope !== undefined) return true;
    const known = this.#calls.map(({ name }) => name);
    return known.length > 0 && names.every((name) => name === undefined || known.includes(name));
  }

  /**
   * Finds a call of this turn whose run was not seen yet; a message may have emitted its result before.
   *
   * @param signature - Of its arguments.
   */
  findUnrun(name: string | undefined, signature?: string): SeenToolCall | undefined {
    return this.#calls.find(
      (call) =>
        !call.hasRun &&
        call.name === name &&
        (signature === undefined || call.signature === signature),
    );
  }

  /** Keeps a call that asked for tools which nothing has named, as far as anybody knows. */
  noteUnnamed(call: SpanRecord): void {
    this.#unnamed = call;
    this.#unnamedScope = call.scope;
  }

  /** Returns the call that asked for tools which nothing has named, once. */
  takeUnnamed(): SpanRecord | undefined {
    const call = this.#unnamed;
    this.#unnamed = undefined;
    return call;
  }

  /** Returns whether a run of this instrumentation may be of a tool that nothing has named. */
  mayRun(scope: string): boolean {
    return this.#unnamedScope === scope;
  }

  /** Finds the call that a message without an id means: as many results before it, as many calls before. */
  findNth(name: string | undefined, matched: ReadonlySet<SeenToolCall>): SeenToolCall | undefined {
    return this.#calls.find(
      (call) => !matched.has(call) && (name === undefined || call.name === name),
    );
  }

  noteCall({ id, name = "", parameters }: MentionedCall): SeenToolCall {
    const call = {
      id,
      name,
      signature: signArguments(parameters),
      order: this.#order++,
      hasResult: false,
      hasRun: false,
    };
    remember(this.#calls, call);
    this.isOpen = true;
    return call;
  }

  #findById(id: string | undefined): SeenToolCall | undefined {
    return id === undefined ? undefined : this.#calls.find((call) => call.id === id);
  }

  #close(): void {
    this.#usersBefore = this.#users;
    this.#users = [];
    this.#calls = [];
    this.#unnamedScope = undefined;
    this.failedTrace = undefined;
    this.isOpen = false;
  }
}
