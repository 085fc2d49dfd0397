import { beforeAll, describe, expect, it } from "vitest";
import type { ComplianceFlag, InteractionContext } from "../../src/events/compliance.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { readRuleCases } from "../helpers/rule-cases.ts";
import { context, createTestEngine } from "./engine-fixtures.ts";

interface Place {
  readonly source: "userMessage" | "agentResponse";
  readonly start: number;
  readonly end: number;
}

/** An exchange in which a rule finds words. */
interface Finding extends Place {
  readonly exchange: Partial<InteractionContext>;
  readonly category: string;
}

const MIN_DISGUISED_LENGTH = 4;
const LOOKALIKES = { a: "а", c: "с", e: "е", o: "о", p: "р", x: "х", y: "у", i: "і", s: "ѕ" };
const ACCENTED = { a: "á", e: "é", i: "í", o: "ó", u: "ú" };
const DIGITS = { a: "4", e: "3", i: "1", o: "0", s: "5", t: "7" };
const SIGNS = { a: "@", i: "!", s: "$", o: "0", e: "3" };

const { engine } = createTestEngine({ rules: builtInRules, secondLook: null });
let sessions = 0;

function evaluate(exchange: Partial<InteractionContext>): readonly ComplianceFlag[] {
  const sessionId = `session-${sessions++}`;
  const { userMessage: _, agentResponse: __, ...rest } = context;
  return engine.evaluate({ ...rest, ...exchange, sessionId }).violations;
}

/** Gives the words that rules find in their own cases; numbers and credentials are no words. */
function loadFindings(): Finding[] {
  const findings: Finding[] = [];
  const casesOf = readRuleCases();
  for (const { id, category } of builtInRules) {
    if (category === "privacy") continue;
    for (const { history, ...exchange } of casesOf[id]?.violating ?? []) {
      if (history) continue;
      const found = evaluate(exchange).find(({ rule }) => rule === id);
      const [span] = (found?.context?.["spans"] ?? []) as Place[];
      if (span) findings.push({ exchange, category, ...span });
    }
  }
  return findings;
}

const write =
  (signs: Readonly<Record<string, string>>) =>
  (word: string): string =>
    word.replaceAll(/[a-z]/g, (letter) => signs[letter] ?? letter);

const shift =
  (start: number) =>
  (word: string): string =>
    word.replaceAll(/[a-z]/g, (letter) =>
      String.fromCodePoint(start + letter.charCodeAt(0) - "a".charCodeAt(0)),
    );

/** The share of findings that must be left when all words of what was found are written in another way. */
const DISGUISES: readonly [name: string, share: number, disguise: (word: string) => string][] = [
  ["zero-width spaces", 1, (word) => word.split("").join("\u200b")],
  ["soft hyphens", 1, (word) => word.split("").join("\u00ad")],
  ["full-width letters", 1, shift(0xff41)],
  ["mathematical letters", 1, shift(0x1d41a)],
  ["letters of other scripts", 0.98, write(LOOKALIKES)],
  ["accents", 0.98, write(ACCENTED)],
  ["digits for letters", 0.95, write(DIGITS)],
  ["signs for letters", 0.94, write(SIGNS)],
  ["points between letters", 0.95, (word) => word.split("").join(".")],
  ["hyphens between letters", 0.95, (word) => word.split("").join("-")],
  ["underscores between letters", 0.95, (word) => word.split("").join("_")],
  ["spaces between letters", 0.85, (word) => word.split("").join(" ")],
  ["one letter behind a star", 0.75, (word) => `${word.slice(0, 1)}*${word.slice(2)}`],
  ["a letter twice", 0.75, (word) => word.slice(0, 2) + word.slice(1)],
];

describe("what rules find in their own cases is found in disguise", () => {
  let findings: readonly Finding[] = [];
  beforeAll(async () => {
    findings = loadFindings();
  });

  it.each(DISGUISES)("%s", (_name, share, disguise) => {
    const missed = findings.filter(({ exchange, category, source, start, end }) => {
      const text = exchange[source] ?? "";
      const words = text
        .slice(start, end)
        .replaceAll(/[A-Za-z]+/g, (word) =>
          word.length < MIN_DISGUISED_LENGTH ? word : disguise(word),
        );
      const disguised = { ...exchange, [source]: text.slice(0, start) + words + text.slice(end) };
      return !evaluate(disguised).some((violation) => violation.category === category);
    });
    expect(findings.length).toBeGreaterThan(500);
    expect(1 - missed.length / findings.length).toBeGreaterThanOrEqual(share);
  });
});
