/** Tokens of one call to the model, whatever it says. */
export interface ModelUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/**
 * The tokens of every call. OpenAI, Gemini, Mistral, Cohere and Ollama count the cached ones into the
 * input; Anthropic and Bedrock count them beside it.
 */
export const MODEL_USAGE: ModelUsage = { input: 21, cacheRead: 4, cacheWrite: 2, output: 11 };

/** A tool that the model wants to call. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model says to one question of the user. */
export interface ScriptedTurn {
  /** Part of the user's last message by which the turn is found. */
  readonly question: string;
  readonly answer: string;
  /** What is called first, if the application offers a tool of that name. */
  readonly calls?: readonly ScriptedCall[];
}

/** What the model says to a question that the script doesn't have. */
export const OTHER_ANSWER = "I can tell you about branches and cards.";

/** The turns of every server that is started without its own. */
export const MODEL_SCRIPT: readonly ScriptedTurn[] = [
  {
    question: "When does the Delft branch open?",
    answer: "The Delft branch opens at nine and closes at five.",
  },
  { question: "And on Saturday?", answer: "On Saturday it opens at ten and closes at one." },
  {
    question: "Is card CARD-77 active?",
    answer: "Yes, card CARD-77 is active with a limit of 3000 EUR.",
    calls: [{ name: "find_card", args: { card_id: "CARD-77" } }],
  },
  {
    question: "Compare the cards CARD-77 and CARD-78.",
    answer: "CARD-77 is active, CARD-78 is blocked.",
    calls: [
      { name: "find_card", args: { card_id: "CARD-77" } },
      { name: "find_card", args: { card_id: "CARD-78" } },
    ],
  },
  {
    question: "Ask the card desk about CARD-77.",
    answer: "The card desk says that CARD-77 is active.",
    // Another agent as a tool; frameworks name its one argument differently.
    calls: [
      { name: "ask_card_desk", args: { input: "Is card CARD-77 active?" } },
      { name: "card_desk", args: { request: "Is card CARD-77 active?" } },
    ],
  },
  { question: "Give the hours as JSON.", answer: '{"city":"Delft","opens":9,"closes":17}' },
];

/** What the tool `find_card` of an application that follows the script gives back. */
export function findCard(cardId: string): Readonly<Record<string, unknown>> {
  return cardId === "CARD-77"
    ? { status: "active", limit: 3000, currency: "EUR" }
    : { status: "blocked", limit: 0, currency: "EUR" };
}
