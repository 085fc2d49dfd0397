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

/** Evaluates conversations line by line and yields the results, in order; holds one line at a time. */
export async function* checkLines<T>(
  checker: LineChecker<T>,
  { name: file, chunks, onProblem }: LineSource,
): AsyncGenerator<T> {
  const { summary } = checker;
  const sessions = new EventSessions();
  let lastSession: string | undefined;

  const attempt = <V>(line: number, read: () => V): V | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      summary.errors++;
      onProblem(`${file}: line ${line}: ${error.message}`);
      return undefined;
    }
  };
  async function* checkConversation({ id, label, exchanges }: Conversation, line: number) {
    // Exchanges of one session may be on separate lines; conversations without a session share nothing.
    const given = exchanges[0]?.context.sessionId;
    const session = typeof given === "string" ? `session:${given}` : `line:${line}`;
    if (session !== lastSession) summary.conversations++;
    lastSession = session;
    const place = { file, line, conversation: id ?? null, eventId: null, label };
    for (const { context, userTurn, agentTurn } of exchanges)
      yield* await checker.check(context, session, { ...place, userTurn, agentTurn });
  }
  const checkEvent = (exchange: EventExchange): Promise<readonly T[]> => {
    const { context, sessionId, line, userTurn, agentTurn, eventId = null } = exchange;
    if (exchange.isNewSession) summary.conversations++;
    const place = { file, line, conversation: sessionId, eventId, userTurn, agentTurn };
    return checker.check(context, `events:${sessionId}`, place);
  };

  for await (const line of splitLines(chunks, MAX_LINE_BYTES)) {
    const { number } = line;
    const record = attempt(number, () => parseLine(line));
    if (record?.kind === "conversation") yield* checkConversation(record, number);
    for (const [index, event] of (record?.kind === "events" ? record.events : []).entries()) {
      const take = () => sessions.take(event, number, `events[${index}]`);
      for (const exchange of attempt(number, take) ?? []) yield* await checkEvent(exchange);
    }
  }
  for (const exchange of sessions.end()) yield* await checkEvent(exchange);
}
