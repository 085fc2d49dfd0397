import { describe, expect, it } from "vitest";
import { builtInPhrases } from "../../src/phrases/built-in-phrases.ts";
import { CompiledPhrases } from "../../src/phrases/compiled-phrases.ts";
import { findMatches } from "../../src/phrases/find-matches.ts";
import { compilePhrases } from "../../src/phrases/phrase-compiler.ts";
import type { PhraseGroup } from "../../src/phrases/phrase-group.ts";
import { createExchange } from "../../src/phrases/exchange.ts";
import { context } from "../compliance/engine-fixtures.ts";

/** What a group finds, as the texts that it covers. */
function find(
  group: PhraseGroup,
  agentResponse: string,
  userMessage = "",
  earlier: string[] = [],
): string[] {
  const view = { ...context, agentResponse, userMessage };
  const history = earlier.map((message) => ({ userMessage: message, toolsUsed: [], at: 0 }));
  const phrases = new CompiledPhrases(compilePhrases([{ name: "test", group }]), builtInPhrases());
  return findMatches(phrases.group("test"), createExchange(view, history)).map(
    ({ text, range }) => {
      const { start, end } = text.normal.toOriginal(range);
      return text.original.slice(start, end);
    },
  );
}

const promise: PhraseGroup = { match: ["(guarantee~|promise~) ..4 approval"] };

describe("guards", () => {
  it.each([
    ["a plain statement", "I guarantee you an approval."],
    ["a negation in another clause", "There is no fee, and I guarantee approval."],
    ["a negation that negates nothing", "No problem, I promise you approval."],
    ["one of emphasis", "Not only do we guarantee approval, it is quick."],
    ["a refusal in another sentence", "I can't help with taxes. I guarantee approval."],
    ["a negation of the condition", "If you don't mind waiting I guarantee an approval."],
    ["quoted words in it", 'We guarantee "instant" approval.'],
  ])("let pass %s", (_name, answer) => {
    expect(find(promise, answer)).toHaveLength(1);
  });

  it.each([
    ["a negation", "We can't guarantee approval."],
    ["a negation in a list", "We can't promise, or in any way guarantee, approval."],
    ["what is rejected", "We'd rather wait than promise an approval."],
    ["a question", "Did someone guarantee you approval?"],
    ["a refusal", "I'm not able to promise approval to you."],
    ["a definition", "Prequalified means that lenders guarantee approval."],
    ["a condemnation", "It is illegal to guarantee approval."],
    [
      "a condemnation in the next sentence",
      "Some lenders guarantee approval. That is against the law.",
    ],
    ["somebody else's doing", "Scammers guarantee approval."],
    ["a quotation", 'The ad said "we guarantee approval today".'],
  ])("stop %s", (_name, answer) => {
    expect(find(promise, answer)).toEqual([]);
  });

  it("can be left out one by one", () => {
    expect(
      find({ ...promise, ignore: ["negation", "refusal"] }, "We can't guarantee approval."),
    ).toHaveLength(1);
    expect(
      find({ ...promise, guards: ["condition"] }, "If I could, I guarantee approval."),
    ).toEqual([]);
  });
});

describe("a group", () => {
  it("spreads over neighbouring sentences if it may", () => {
    const match = ["split ..4 cash & no report"];
    const answer = "Split all the cash. Then there is no report. Bye.";
    expect(find({ match }, answer)).toEqual([]);
    expect(find({ match, within: 2 }, answer)).toEqual([
      "Split all the cash. Then there is no report",
    ]);
  });

  it("finds each place once, and three at most", () => {
    const match = ["free money", "money"];
    expect(find({ match }, "Free money. Free money! Money? Money. Money, money.")).toEqual([
      "Free money",
      "Free money",
      "Money",
    ]);
  });

  it("asks for what must and must not stand around", () => {
    const match = ["approved"];
    const unless = ["conditionally"];
    expect(find({ match, unless }, "Conditionally. Approved. Yes.")).toEqual([]);
    expect(find({ match, unless }, "Conditionally.\nApproved. Yes.")).toEqual(["Approved"]);
    expect(find({ match, unless }, "Approved. Yes. Conditionally.")).toEqual(["Approved"]);
    expect(find({ match, unlessAnywhere: ["subject to"] }, "Approved. Subject to review.")).toEqual(
      [],
    );
    expect(find({ match, alongside: ["today"] }, "Approved.")).toEqual([]);
    expect(find({ match, alongside: ["today"] }, "Approved. Come today.")).toHaveLength(1);
    expect(find({ match, about: ["loan~"] }, "Approved.", "my loans?")).toHaveLength(1);
    expect(find({ match, about: ["loan~"] }, "Approved.", "my card?")).toEqual([]);
    expect(find({ match, about: ["loan~"] }, "Loans are here. Approved.", "?")).toHaveLength(1);
    expect(find({ match, about: ["loan~"] }, "Loans are here.\nApproved.", "?")).toEqual([]);
    expect(find({ match, user: ["loan"] }, "The loan is approved.", "and?")).toEqual([]);
    expect(find({ match, user: ["loan"] }, "Approved.", "the loan?")).toHaveLength(1);
  });

  it("reads earlier messages of the session only if asked to", () => {
    const group: PhraseGroup = { match: ["approved"], user: ["loan"] };
    expect(find(group, "Approved.", "and?", ["the loan"])).toEqual([]);
    expect(find({ ...group, inSession: true }, "Approved.", "and?", ["the loan"])).toHaveLength(1);
  });

  it("reads the user's message if told to", () => {
    const group: PhraseGroup = {
      match: ["no report"],
      in: "userMessage",
      ignore: ["question", "negation"],
    };
    expect(find(group, "I see.", "so there is no report?")).toEqual(["no report"]);
  });
});
