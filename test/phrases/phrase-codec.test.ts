import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInText } from "../../src/phrases/built-in-text.ts";
import { CompiledPhrases } from "../../src/phrases/compiled-phrases.ts";
import { TextIndex } from "../../src/phrases/match.ts";
import {
  decodePhrases,
  encodePhrases,
  PhraseDecoder,
  PhraseCodecError,
} from "../../src/phrases/phrase-codec.ts";
import { compilePhrases } from "../../src/phrases/phrase-compiler.ts";
import { findPassages } from "../../src/phrases/phrase-matches.ts";
import type { PhraseTables } from "../../src/phrases/phrase-tables.ts";
import { tokenise } from "../../src/phrases/tokenise.ts";

const word = fc.constantFrom(
  "loan",
  "rate~",
  "guarant*",
  "#money",
  "not",
  "can\u0027t",
  "risk-free",
);
const wording = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
const alternatives = fc
  .uniqueArray(fc.oneof(wording, fc.constant("{cash}"), fc.constant("loan ..2 rate")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => `(${all.join("|")})`);
const link = fc.constantFrom(" ", " ..3 ", " & ", " ..1 (the|a)? ");
const phrase = fc
  .tuple(
    fc.constantFrom("", "^ "),
    alternatives,
    fc.array(fc.tuple(link, alternatives), { maxLength: 3 }),
  )
  .map(([start, first, rest]) => start + first + rest.map((each) => each.join("")).join(""));
const group = fc.record({
  match: fc.uniqueArray(phrase, { minLength: 1, maxLength: 4 }),
  unless: fc.uniqueArray(phrase, { maxLength: 2 }),
  within: fc.constantFrom(1 as const, 2 as const),
  confidence: fc.constantFrom(0.5, 0.8),
});
const texts = fc
  .array(
    fc.constantFrom(
      "loan",
      "rates",
      "guaranteed",
      "$9,500",
      "ten grand",
      "not",
      "cash",
      "the",
      "a",
      "risk",
      "free",
      "can",
      ".",
      "notes",
      "bank",
    ),
    { maxLength: 40 },
  )
  .map((words) => words.join(" "));

const CONCEPTS = { cash: "cash | bank note~ | #money" };

function compile(groups: readonly { readonly match: readonly string[] }[]): PhraseTables {
  return compilePhrases(
    groups.map((each, index) => ({ name: `group-${index}`, group: each, concepts: CONCEPTS })),
  );
}

/** What each phrase matches in a text of two sentences. */
function matchAll(tables: PhraseTables, text: string): unknown {
  const phrases = new CompiledPhrases(tables);
  const middle = text.length >> 1;
  const ranges = [
    { start: 0, end: middle },
    { start: middle, end: text.length },
  ];
  const { tokens, starts } = tokenise(text, ranges, false, phrases.words);
  const index = new TextIndex(phrases, { tokens, starts });
  return tables.groups.map(({ name, within }) =>
    Array.from(phrases.group(name).of("match"), (id) => findPassages(index, id, within, 9)),
  );
}

const encoded = encodePhrases(compile([{ match: ["guarant* ..3 (loan|{cash})"] }]));

describe("compiled phrases", () => {
  it("are the same when they were encoded and decoded, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 3 }), texts, (groups, text) => {
        const tables = compile(groups);
        const decoded = decodePhrases(encodePhrases(tables));
        expect(toPlain(decoded)).toEqual(toPlain(tables));
        expect(matchAll(decoded, text)).toEqual(matchAll(tables, text));
      }),
    );
  });

  it("are decoded a part at a time", () => {
    const text = builtInText();
    const decoder = new PhraseDecoder(text);
    let parts = 0;
    let tables = decoder.next();
    for (; !tables; tables = decoder.next()) parts++;
    expect(parts).toBeGreaterThan(2);
    expect(toPlain(tables)).toEqual(toPlain(decodePhrases(text)));
    expect(toPlain(decoder.next() ?? tables)).toEqual(toPlain(tables));
  });

  it("are refused each time when a part is missing", () => {
    const text = builtInText();
    const decoder = new PhraseDecoder(text.slice(0, text.lastIndexOf(".")));
    const decodeAll = (): void => {
      while (!decoder.next());
    };
    expect(decodeAll).toThrow(PhraseCodecError);
    expect(decodeAll).toThrow(PhraseCodecError);
  });

  it("are the same bytes each time", () => {
    const groups = [{ match: ["(loan|rate~) ..2 guarant*", "{cash} & loan"] }];
    expect(encodePhrases(compile(groups))).toBe(encodePhrases(compile(groups)));
  });

  it("are refused when some of the text is changed or cut", () => {
    const characters = fc.nat({ max: encoded.length - 1 });
    fc.assert(
      fc.property(characters, fc.boolean(), (at, isCut) => {
        const other = encoded[at] === "A" ? "B" : "A";
        const broken = isCut
          ? encoded.slice(0, at)
          : encoded.slice(0, at) + other + encoded.slice(at + 1);
        let decoded: PhraseTables | undefined;
        try {
          decoded = decodePhrases(broken);
        } catch (error) {
          expect(error).toBeInstanceOf(PhraseCodecError);
        }
        // Padding, and what the header of gzip says of its writer, is nobody's loss.
        if (decoded) expect(toPlain(decoded)).toEqual(toPlain(decodePhrases(encoded)));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [
      "another format",
      (bytes: Buffer) =>
        Buffer.from(bytes.toString("latin1").replace("phrases 7", "phrases 6"), "latin1"),
    ],
    ["a part that is missing", (bytes: Buffer) => bytes.subarray(0, -8)],
    ["a part too many", (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(8)])],
    [
      "a length beyond the end",
      (bytes: Buffer) => {
        const copy = Buffer.from(bytes);
        copy.writeUInt32LE(2 ** 31, 0);
        return copy;
      },
    ],
  ])("are refused with %s, though the checksum is right", (_name, change) => {
    const bytes = change(gunzipSync(Buffer.from(encoded, "base64")));
    expect(() => decodePhrases(gzipSync(bytes).toString("base64"))).toThrow(PhraseCodecError);
  });

  it("are refused where there are none", () => {
    expect(() => decodePhrases("")).toThrow(PhraseCodecError);
  });
});

/** Tables with plain lists in place of arrays of numbers. */
function toPlain(tables: PhraseTables): unknown {
  return JSON.parse(
    JSON.stringify(tables, (_key, value: unknown) =>
      ArrayBuffer.isView(value) && !(value instanceof DataView)
        ? Array.from(value as Uint16Array)
        : value instanceof Object && "type" in value && "data" in value
          ? value.data
          : value,
    ),
  );
}
