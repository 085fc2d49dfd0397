import type { ToolUsageInfo } from "../events/compliance.ts";
import { CUT_NOTE } from "./prompt.ts";

/** An earlier turn of the session, as far as it is remembered. */
export interface SentTurn {
  readonly userMessage?: string | undefined;
  readonly agentResponse?: string | undefined;
}

/** An exchange as the judge's model gets it: redacted, and cut to a bound. Quotes are looked for here. */
export interface SentExchange extends SentTurn {
  readonly earlier: readonly SentTurn[];
  /** The bank's data of the customer and the transaction, as JSON; absent without any. */
  readonly facts?: string | undefined;
  /** The calls as JSON; absent without any. */
  readonly tools?: string | undefined;
  readonly agentResponse: string;
  /** Whether some of it was too long to be sent: a reply without findings is then not clean. */
  readonly isCut: boolean;
}

/** Places where a quote may occur. */
export type QuoteSource = "agentResponse" | "userMessage" | "tools" | "facts";

const EARLIER_SHARE = 0.2;
const SHARES = [
  ["userMessage", 0.25],
  ["facts", 0.05],
  ["tools", 0.25],
] as const;

/** A whole exchange, before redaction and cutting. */
export interface WholeExchange extends SentTurn {
  readonly earlier: readonly SentTurn[];
  /** Members of the context beside messages and tools, by name. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  readonly toolsUsed?: readonly ToolUsageInfo[] | undefined;
  readonly agentResponse: string;
}

/** The notes in texts that were cut. */
export const CUT_NOTES = /\[cut here: \d+ more characters are not shown\]$/g;

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // A cut must not split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}\n${CUT_NOTE.replace("{left}", String(text.length - end))}`;
}

/** Keeps the newest turns that fit. */
function cutEarlier(turns: readonly SentTurn[], length: number): readonly SentTurn[] {
  const kept: SentTurn[] = [];
  let left = length;
  for (const turn of turns.toReversed()) {
    left -= (turn.userMessage?.length ?? 0) + (turn.agentResponse?.length ?? 0);
    if (left < 0) break;
    kept.push(turn);
  }
  return kept.toReversed();
}

function toTools(tools: readonly ToolUsageInfo[] | undefined): string | undefined {
  if (!tools || tools.length === 0) return undefined;
  return tools
    .map(({ name, parameters, result, success, approval }) =>
      JSON.stringify({ name, parameters, result, success, ...(approval && { approval }) }),
    )
    .join("\n");
}

/**
 * Cuts an exchange to the length that is sent.
 *
 * @param maxTextLength - UTF-16 units of all its texts together. The answer gets what the other texts leave.
 */
export function toSentExchange(exchange: WholeExchange, maxTextLength: number): SentExchange {
  const { userMessage, facts, toolsUsed, agentResponse } = exchange;
  const all = { userMessage, facts: facts && JSON.stringify(facts), tools: toTools(toolsUsed) };
  const sent: Pick<SentExchange, (typeof SHARES)[number][0]> = Object.fromEntries(
    SHARES.flatMap(([name, share]) => {
      const text = all[name];
      return text === undefined ? [] : [[name, cut(text, Math.floor(maxTextLength * share))]];
    }),
  );
  const earlier = cutEarlier(exchange.earlier, maxTextLength * EARLIER_SHARE);
  const said = earlier.flatMap((turn) => [turn.userMessage, turn.agentResponse]);
  const used = [...Object.values(sent), ...said].reduce((sum, text = "") => sum + text.length, 0);
  const answer = cut(agentResponse, Math.max(0, maxTextLength - used));
  const isWhole =
    SHARES.every(([name]) => sent[name] === all[name]) &&
    answer === agentResponse &&
    earlier.length === exchange.earlier.length;
  return { earlier, ...sent, agentResponse: answer, isCut: !isWhole };
}

/**
 * Writes an exchange for the model, each part between marks of its own.
 *
 * @param code - A code that no author of the exchange can know, so that no text can close its part.
 */
export function toExchangeText(exchange: SentExchange, code: string): string {
  const { earlier, userMessage, facts, tools, agentResponse } = exchange;
  const toPart = (name: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`<${name} ${code}>\n${text}\n</${name} ${code}>`];
  const turns = earlier.flatMap((turn) => [
    ...(turn.userMessage === undefined ? [] : [`customer: ${turn.userMessage}`]),
    ...(turn.agentResponse === undefined ? [] : [`agent: ${turn.agentResponse}`]),
  ]);
  return [
    ...(turns.length > 0 ? toPart("earlier", turns.join("\n")) : []),
    ...toPart("customer", userMessage),
    ...toPart("facts", facts),
    ...toPart("tools", tools),
    ...toPart("answer", agentResponse),
  ].join("\n");
}
