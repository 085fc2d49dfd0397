import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const FIXTURES = new URL("../fixtures/compliance/", import.meta.url);

interface Turn {
  readonly role: "user" | "agent";
  readonly content: string;
}

interface AuthorText {
  readonly id: string;
  readonly author: string;
  readonly label: "ok" | "violation";
  readonly userMessage?: string;
  readonly agentResponse: string;
  readonly turns?: readonly Turn[];
  readonly expectedCategory?: string;
  readonly expectedRule?: string;
  readonly kind?: string;
  readonly passage?: { readonly turn: number; readonly start: number; readonly text: string };
}

function readAuthors(folder: string): AuthorText[] {
  const directory = new URL(folder, FIXTURES);
  return readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl.gz"))
    .flatMap((name) =>
      gunzipSync(readFileSync(new URL(name, directory)))
        .toString("utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as AuthorText),
    );
}

function turnsOf({ turns, userMessage, agentResponse }: AuthorText): readonly Turn[] {
  if (turns) return turns;
  const answer: Turn = { role: "agent", content: agentResponse };
  return userMessage === undefined ? [answer] : [{ role: "user", content: userMessage }, answer];
}

const authors = readAuthors("authors/");
const heldOut = readAuthors("held-out/");
const all = [...authors, ...heldOut];

describe("texts of independent authors", () => {
  it("have ids of their own, and no author stands on both sides", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const held = new Set(heldOut.map(({ author }) => author));
    expect(authors.filter(({ author }) => held.has(author))).toEqual([]);
    expect(held.size).toBeGreaterThanOrEqual(4);
  });

  it("have their offending passage where they say, and none in a lawful text", () => {
    const wrong = all.filter((text) => {
      const { label, passage, kind } = text;
      if (label === "ok") return passage !== undefined;
      if (!passage) return kind !== "tool";
      const { start, text: words } = passage;
      return turnsOf(text)[passage.turn]?.content.slice(start, start + words.length) !== words;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it("name the rule and the area of law of each violation, all 49 among the held out", () => {
    const violations = all.filter(({ label }) => label === "violation");
    const nameless = violations.filter((text) => !text.expectedRule || !text.expectedCategory);
    expect(nameless.map(({ id }) => id)).toEqual([]);
    const rules = heldOut.flatMap(({ expectedRule }) => expectedRule ?? []);
    expect(new Set(rules).size).toBe(49);
  });

  it("are as long as answers of assistants are", () => {
    const lengths = heldOut
      .filter(({ label }) => label === "ok")
      .map((text) =>
        turnsOf(text)
          .filter(({ role }) => role === "agent")
          .reduce((sum, { content }) => sum + content.length, 0),
      )
      .toSorted((one, other) => one - other);
    expect(lengths[lengths.length >> 1]).toBeGreaterThanOrEqual(700);
  });
});
