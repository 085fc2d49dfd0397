/** What the model server's script says: `test/helpers/model-server/script.ts`. */
export const OPENS = "When does the Delft branch open?";
export const OPENS_AT = "The Delft branch opens at nine and closes at five.";
export const SATURDAY = "And on Saturday?";
export const SATURDAY_AT = "On Saturday it opens at ten and closes at one.";
export const CARD = "Is card CARD-77 active?";
export const CARD_IS = "Yes, card CARD-77 is active with a limit of 3000 EUR.";
export const HOURS = "Give the hours as JSON.";
export const HOURS_ARE = '{"city":"Delft","opens":9,"closes":17}';

/** The tool that the model calls for {@link CARD}. */
export const TOOL = {
  name: "find_card",
  description: "Finds a card.",
  schema: {
    type: "object",
    properties: { card_id: { type: "string" } },
    required: ["card_id"],
    additionalProperties: false,
  },
} as const;

/** What the tool gives back for the one card that is asked for. */
export const CARD_FOUND = { status: "active", limit: 3000, currency: "EUR" };

/** Makes a question that tells the server how to behave; see `test/helpers/model-server/behaviour.ts`. */
export function withWords(words: string, question = OPENS): string {
  return words === "" ? question : `${question} [[${words}]]`;
}
