import { parseJson } from "../../util/values.ts";
import { LineProblem, splitLines, type Line } from "../read-lines.ts";
import type { Checker } from "./checker.ts";
import { type EventExchange, EventSessions } from "./replay.ts";
import { readRecord, type CheckedRecord } from "./read-record.ts";

/** Longest line that is read: 16 MiB. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Evaluates exchanges, and counts the results. */
interface LineChecker<T> {
  readonly summary: Pick<Checker["summary"], "conversations" | "errors">;
  /** @returns The results of the exchange. */
  check(...exchange: Parameters<Checker["check"]>): Promise<readonly T[]>;
}

/** Source of the lines, and the callback for those that can't be read. */
export interface LineSource {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly onProblem: (problem: string) => void;
}

type Conversation = Extract<CheckedRecord, { kind: "conversation" }>;

/** Parses a line; `undefined` for one that is empty. @throws LineProblem */
function parseLine({ bytes }: Line): CheckedRecord | undefined {
  if (!bytes) throw new LineProblem("", `at most ${MAX_LINE_BYTES} bytes`, bytes, "more");
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new LineProblem("", "JSON in UTF-8", bytes, "other bytes");
  }
  if (text.trim() === "") return undefined;
  const value = parseJson(text);
  if (value === undefined) throw new LineProblem("", "a JSON object", text, "no JSON");
  return readRecord(value);
}

/** Evaluates the lines of one file. */
class LineCheck<T> {
  readonly #checker: LineChecker<T>;
  readonly #source: LineSource;
  readonly #sessions = new EventSessions();
  #lastSession: string | undefined;

  constructor(checker: LineChecker<T>, source: LineSource) {
    this.#checker = checker;
    this.#source = source;
  }

  async *take(line: Line): AsyncGenerator<T> {
    const record = this.#try(line.number, () => parseLine(line));
    if (record?.kind === "conversation") yield* this.#conversation(record, line.number);
    for (const [index, event] of (record?.kind === "events" ? record.events : []).entries()) {
      const exchanges = this.#try(line.number, () =>
        this.#sessions.take(event, line.number, `events[${index}]`),
      );
      for (const exchange of exchanges ?? []) yield* this.#event(exchange);
    }
  }

  async *end(): AsyncGenerator<T> {
    for (const exchange of this.#sessions.end()) yield* this.#event(exchange);
  }

  #try<V>(line: number, read: () => V): V | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      this.#checker.summary.errors++;
      this.#source.onProblem(`${this.#source.name}: line ${line}: ${error.message}`);
      return undefined;
    }
  }

  async *#conversation({ id, label, exchanges }: Conversation, line: number): AsyncGenerator<T> {
    // Exchanges of one session may be on separate lines; conversations without a session share nothing.
    const given = exchanges[0]?.context.sessionId;
    const session = typeof given === "string" ? `session:${given}` : `line:${line}`;
    if (session !== this.#lastSession) this.#checker.summary.conversations++;
    this.#lastSession = session;
    const place = {
      file: this.#source.name,
      line,
      conversation: id ?? null,
      eventId: null,
      ...(label && { label }),
    };
    for (const { context, userTurn, agentTurn } of exchanges)
      yield* await this.#checker.check(context, session, { ...place, userTurn, agentTurn });
  }

  async *#event(exchange: EventExchange): AsyncGenerator<T> {
    const { context, sessionId, line, userTurn, agentTurn, eventId } = exchange;
    if (exchange.isNewSession) this.#checker.summary.conversations++;
    const place = { file: this.#source.name, line, conversation: sessionId, userTurn, agentTurn };
    yield* await this.#checker.check(context, `events:${sessionId}`, {
      ...place,
      eventId: eventId ?? null,
    });
  }
}

/** Evaluates conversations line by line and yields the results, in order; holds one line at a time. */
export async function* checkLines<T>(
  checker: LineChecker<T>,
  source: LineSource,
): AsyncGenerator<T> {
  const check = new LineCheck(checker, source);
  for await (const line of splitLines(source.chunks, MAX_LINE_BYTES)) yield* check.take(line);
  yield* check.end();
}
