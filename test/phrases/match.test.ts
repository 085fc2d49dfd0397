import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CompiledPhrases } from "../../src/phrases/compiled-phrases.ts";
import { TextIndex } from "../../src/phrases/match.ts";
import type { Concepts } from "../../src/phrases/parse-phrase.ts";
import { compilePhrases } from "../../src/phrases/phrase-compiler.ts";
import type { TokenRange } from "../../src/phrases/spans.ts";
import { tokenise } from "../../src/phrases/tokenise.ts";

const CONCEPTS: Concepts = {
  cash: "cash | bank note~ | {coin}",
  coin: "coin~ | quarter~",
  loop: "{loop}",
};

/** Compiles a phrase of one chain. */
function compile(phrase: string, concepts: Concepts = {}) {
  const group = { match: [phrase] };
  const phrases = new CompiledPhrases(compilePhrases([{ name: "test", group, concepts }]));
  const [chain = -1] = phrases.group("test").chains();
  return { phrases, chain };
}

function read(phrases: CompiledPhrases, text: string, canSegment = false): TextIndex {
  const ranges = [{ start: 0, end: text.length }];
  const { tokens, starts } = tokenise(text, ranges, canSegment, phrases.words);
  return new TextIndex(phrases, { tokens, starts });
}

function readSentences(phrases: CompiledPhrases, sentences: readonly string[]): TextIndex {
  let end = 0;
  const ranges = sentences.map(({ length }) => ({ start: end, end: (end += length) }));
  const { tokens, starts } = tokenise(sentences.join(""), ranges, false, phrases.words);
  return new TextIndex(phrases, { tokens, starts });
}

/** What the first match of a phrase of one chain covers. */
function find(source: string, text: string, canSegment = false): string | undefined {
  const { phrases, chain } = compile(source, CONCEPTS);
  const index = read(phrases, text, canSegment);
  const [match] = index.matches(chain, 1);
  const first = match && index.tokens[match.start];
  const last = match && index.tokens[match.end - 1];
  const { list } = phrases.group("test");
  if (first) expect(index.hasCandidate(list, 1), "presence must not rule a match out").toBe(true);
  return first && last && text.slice(first.start, last.end);
}

describe("a phrase", () => {
  it.each([
    ["deposit", "The deposit is here", "deposit"],
    ["deposit~", "We deposited it", "deposited"],
    ["withdraw~", "it was withdrawn", "withdrawn"],
    ["cancel~", "cancelled or canceled", "cancelled"],
    ["guarant*", "Guarantees apply", "Guarantees"],
    ["split ..3 cash", "split all of the cash", "split all of the cash"],
    ["{cash} only", "bank notes only", "bank notes only"],
    ["pay in {coin}", "Pay in quarters", "Pay in quarters"],
    ["(skip|leave out) the form", "leave out the form", "leave out the form"],
    ["no (id)? check", "no id check", "no id check"],
    ["no (id)? check", "no check", "no check"],
    ["no ..2 (id)? check", "no silly old check", "no silly old check"],
    ["(never ..2 ask|skip) id", "never again ask id", "never again ask id"],
    ["can not", "You can't", "can't"],
    ["can't", "You cannot", "cannot"],
    ["will not", "it won\u0027t", "won't"],
    ["risk-free", "a risk-free plan", "risk-free"],
    ["it is", "It's fine", "It's"],
    ["wife 's", "your wife's account", "wife's"],
    ["^ never", "never mind", "never"],
    ["^ {cash} ..4 id", "cash or cash with id", "cash or cash with id"],
    ["#money", "about $9,500 or so", "$9,500"],
    ["#undertenk", "nine thousand five hundred today", "nine thousand five hundred"],
    ["#undertenk", "bring 9.5k", "9.5k"],
    ["#tenk", "ten grand", "ten grand"],
    ["#overtenk", "12 thousand dollars", "12 thousand dollars"],
    ["#percent", "some 5 % more", "5"],
    ["below ..2 #tenk", "below the $10,000 mark", "below the $10,000"],
  ])("%s matches in %s", (phrase, text, covered) => {
    expect(find(phrase, text)).toBe(covered);
  });

  it.each(
    [
      ["deposit", "deposits"],
      ["split ..2 cash", "split one two three cash"],
      ["^ never", "you never know"],
      ["#undertenk", "in 2025"],
      ["#undertenk", "9 cards"],
      ["#money", "one of us"],
      ["no check", "no, check"],
    ].slice(0, 6),
  )("%s does not match in %s", (phrase, text) => {
    expect(find(phrase, text)).toBeUndefined();
  });

  it("reads digits and signs as letters only when that makes a word it knows", () => {
    expect(find("guarant*", "gu4r4nteed!")).toBe("gu4r4nteed");
    expect(find("{cash}", "c@sh")).toBe("c@sh");
    expect(find("{cash}", "CASH!!! now")).toBe("CASH");
    expect(find("{cash}", "c4rd c0de")).toBeUndefined();
  });

  it("cuts words that stick together, where letters were set apart", () => {
    expect(find("leave out the form", "leaveouttheform", true)).toBe("leaveouttheform");
    expect(find("leave out the form", "leaveouttheform")).toBeUndefined();
  });

  it.each(
    [
      ["{unknown} x", "unknown concept"],
      ["a ..99 b", "expected a gap"],
      ["a ..3", "expected to begin and end"],
      ["..3 a", "expected to begin and end"].slice(0, 2) as [string, string],
      ["(a b", 'expected ")"'],
      ["Abc", "small letters"],
      ["#dollars", "unknown class of numbers"],
      ["ab*", "a stem has at least 3 letters"],
      ["{loop}", "contains itself"],
      ["(a|)? b", "expected to begin and end"],
    ].filter(([source]) => source !== "..3 a"),
  )("%s is refused", (source, message) => {
    expect(() => compile(source, CONCEPTS)).toThrow(message);
  });

  it("is refused when it has more words than can be numbered", () => {
    const words = Array.from({ length: 70_000 }, (_, index) => `w${index}`);
    expect(() => compile(`(${words.join("|")})`)).toThrow(
      "the phrases have 70001 words and literals, more than 65535",
    );
  });

  it("finds what a plain search finds", () => {
    const words = fc.array(fc.constantFrom("a1x", "b2x", "red", "sea", "not", "deep"), {
      maxLength: 30,
    });
    const gap = fc.integer({ min: 1, max: 6 });
    fc.assert(
      fc.property(words, gap, (list, reach) => {
        const found = find(`red ..${reach} sea ..${reach} deep`, list.join(" ")) !== undefined;
        const naive = list.some((word, first) =>
          list.some((second, middle) =>
            list.some(
              (third, last) =>
                word === "red" &&
                second === "sea" &&
                third === "deep" &&
                middle > first &&
                middle - first - 1 <= reach &&
                last > middle &&
                last - middle - 1 <= reach,
            ),
          ),
        );
        expect(found).toBe(naive);
      }),
    );
  });
});

describe("tokenise", () => {
  it("gives tokens within the text, in order, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const { tokens } = read(compile("a1x").phrases, text, true);
        let last = 0;
        for (const { start, end } of tokens) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = start;
        }
      }),
    );
  });

  it("finds what a plain comparison of words finds", () => {
    const letter = fc.constantFrom("ax", "bx", "cx", "dx");
    const wording = fc
      .array(letter, { minLength: 1, maxLength: 3 })
      .map((words) => words.join(" "));
    const alternatives = fc.uniqueArray(wording, { minLength: 1, maxLength: 5 });
    const gap = fc.integer({ min: 0, max: 3 });
    const parts = fc.array(fc.record({ alternatives, gap }), { minLength: 1, maxLength: 3 });
    const words = fc.array(letter, { maxLength: 40 });
    fc.assert(
      fc.property(parts, words, (steps, text) => {
        const source = steps
          .map(
            (step, at) =>
              `${at > 0 && step.gap > 0 ? `..${step.gap} ` : ""}(${step.alternatives.join("|")})`,
          )
          .join(" ");
        const { phrases, chain } = compile(source);
        const found = read(phrases, text.join(" ")).matches(chain, 1);
        const ends = new Set(found.map(({ end }) => end));
        expect([...ends].toSorted((one, other) => one - other)).toEqual(endsOf(steps, text));
      }),
      { numRuns: 300 },
    );
  });

  it("finds the same in whatever order it is asked for sentences", () => {
    const sentence = fc
      .array(fc.constantFrom("ax", "bx", "cx", "9", "dx"), { minLength: 1, maxLength: 8 })
      .map((words) => `${words.join(" ")}.`);
    const source = "(ax|bx|{pair}) ..2 ({pair}|cx|#number)? ..1 (dx|{pair}|cx dx)";
    const asked = fc.array(fc.nat({ max: 79 }), { maxLength: 12 });
    // More sentences than a mask has bits.
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 80 }), asked, (text, order) => {
        const { phrases, chain } = compile(source, { pair: "ax ..1 bx | cx | dx cx" });
        const whole = readSentences(phrases, text);
        const bySentence = readSentences(phrases, text);
        const all = whole.matches(chain, 1);
        for (const wanted of order.filter((each) => each < text.length)) {
          const isWanted = ({ start }: TokenRange): boolean => whole.sentenceOf(start) === wanted;
          const token = whole.tokens.findIndex((_, index) => whole.sentenceOf(index) === wanted);
          const mask = bySentence.maskAround({ start: token, end: token + 1 });
          const found = bySentence.matches(chain, 1, mask);
          expect(found.filter(isWanted)).toEqual(all.filter(isWanted));
        }
        expect(bySentence.matches(chain, 1)).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  it("finds rows of words one behind the other in a long text, in order", () => {
    const text = "ax bx cx ".repeat(400);
    const { phrases, chain } = compile("(cx|bx cx|ax bx cx|bx)");
    const found = read(phrases, text).matches(chain, 1);
    expect(found).toHaveLength(1600);
    const starts = found.map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  });
});

interface PlainStep {
  readonly alternatives: readonly string[];
  readonly gap: number;
}

/** The ends of all matches, in order, each once. */
function endsOf(steps: readonly PlainStep[], text: readonly string[]): number[] {
  let ends = new Set(text.keys());
  for (const [at, { alternatives, gap }] of steps.entries()) {
    const next = new Set<number>();
    for (const end of ends) {
      for (let start = end; start <= end + (at > 0 ? gap : 0); start++) {
        for (const alternative of alternatives) {
          const words = alternative.split(" ");
          if (words.every((word, offset) => text[start + offset] === word))
            next.add(start + words.length);
        }
      }
    }
    ends = next;
  }
  return [...ends].toSorted((one, other) => one - other);
}
