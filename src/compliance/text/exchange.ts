import type { InteractionContext } from "../../events/compliance.ts";
import { foldText } from "./fold-text.ts";
import type { Range } from "./pattern.ts";
import { splitSentences } from "./sentences.ts";

/** Side of the exchange that a text comes from. */
export type TextSource = "userMessage" | "agentResponse";

/** A sentence in its folded form, and where it stands. */
export interface Sentence extends Range {
  readonly text: string;
}

/** One side of an exchange, prepared for the rules. */
export interface SourceText {
  readonly source: TextSource;
  readonly original: string;
  /** The original with typographic characters folded; positions are those of the original. */
  readonly folded: string;
  /** Splits on first use. */
  sentences(): readonly Sentence[];
}

/** Both sides of an exchange; one without text is absent. */
export interface Exchange {
  readonly userMessage: SourceText | undefined;
  readonly agentResponse: SourceText | undefined;
}

function createSourceText(
  source: TextSource,
  original: string | undefined,
): SourceText | undefined {
  if (original === undefined || original === "") return undefined;
  const folded = foldText(original);
  let sentences: readonly Sentence[] | undefined;
  return {
    source,
    original,
    folded,
    sentences: () =>
      (sentences ??= splitSentences(folded).map(({ start, end }) => ({
        start,
        end,
        text: folded.slice(start, end),
      }))),
  };
}

// The rules of one evaluation share one context, and with it the prepared texts.
const exchanges = new WeakMap<InteractionContext, Exchange>();

/** Prepares the texts of an interaction, once for all rules. */
export function readExchange(context: InteractionContext): Exchange {
  const { userMessage, agentResponse } = context;
  const known = exchanges.get(context);
  // A context that is not the engine's may have changed since.
  if (
    known &&
    known.userMessage?.original === userMessage &&
    known.agentResponse?.original === agentResponse
  ) {
    return known;
  }
  const exchange: Exchange = {
    userMessage: createSourceText("userMessage", userMessage),
    agentResponse: createSourceText("agentResponse", agentResponse),
  };
  exchanges.set(context, exchange);
  return exchange;
}
