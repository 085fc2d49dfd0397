import type { KnownChecks } from "../../../src/compliance/packs/check-rule.ts";
import type { PackProblem } from "../../../src/compliance/pack-problem.ts";
import { PackError } from "../../../src/compliance/packs/pack-error.ts";
import { readPack, type Pack, type PackFiles } from "../../../src/compliance/packs/read-pack.ts";

export const HEAD = `id: test-pack
version: 1.2.3
title: A pack for tests
notes: Nobody has read it.
order: [custom, privacy]
`;

export const RULE = `id: custom-greeting
version: 1.0.0
title: Greeting
category: custom
severity: warning
description: A greeting.
explanation: The agent greets.
law:
  citation: None
  asOf: "2026-11-21"
  status: guidance
recommendation: Don't greet.
impact:
  customer: minimal
  business: none
check: greets-twice
patterns:
  hello:
    match: |
      # The usual ones.
      {greeting} ..2 there

      good day & {someone}
    unless: |
      @farewells
    ignore: [question]
    confidence: 0.7
  twice:
    foundBy: check
probes:
  greeted:
    in: userMessage
    match: |
      {greeting}
phrases:
  farewells: |
    see you
    ^ {bye}
words:
  bye: |
    bye
    so long
cases:
  violating:
    - agentResponse: Hello there.
      pattern: hello
    - agentResponse: Hello.
      userMessage: Hello.
      pattern: twice
  compliant:
    - agentResponse: Thank you.
`;

export const WORDS = `words:
  greeting: |
    hello
    good morning
  someone: |
    sir
    {greeting} all
`;

export const KNOWN: KnownChecks = {
  checks: { "greets-twice": { probes: ["greeted"], words: ["greeting"] }, other: {} },
  exemptions: { "is-polite": () => true },
};

export function toFiles(rules: readonly string[], words = WORDS, head = HEAD): PackFiles {
  return {
    pack: { path: "pack.yaml", text: head },
    rules: rules.map((text, index) => ({ path: `rule-${index + 1}.yaml`, text })),
    words: [{ path: "words.yaml", text: words }],
  };
}

export function read(rule = RULE, words = WORDS, head = HEAD): Pack {
  return readPack(toFiles([rule], words, head), KNOWN);
}

/** Gives the problems of a pack as they are written. */
export function problemsOf(make: () => unknown): readonly string[] {
  try {
    make();
    return [];
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return error.problems.map(
      ({ file, line, column, message }: PackProblem) => `${file}:${line}:${column} ${message}`,
    );
  }
}
