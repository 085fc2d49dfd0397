import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REDACTED_KINDS } from "../../src/config/redact-options.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { CANARIES, EVERYTHING, VALUES } from "./values.ts";

const KEY = "a key of the bank that has 32 bytes or more";
const redactor = createRedactor({ key: KEY });
const CARD = VALUES.card.value;
const DIGITS = CARD.replaceAll(" ", "");
const TOKEN = /^\[[A-Z]+:[a-z2-7]{10}\]$/;

const expectClean = (value: unknown): void => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  for (const canary of CANARIES) expect(text).not.toContain(canary);
};

describe("texts", () => {
  it.each(REDACTED_KINDS)("lose values of the kind %s, and nothing else", (kind) => {
    const { text, value } = VALUES[kind];
    const at = text.indexOf(value);
    const redacted = redactor.text(text);
    expect(redacted).not.toContain(value);
    expect(redacted.startsWith(text.slice(0, at))).toBe(true);
    expect(redacted).toContain(`[${kind.toUpperCase()}:`);
  });

  it.each(REDACTED_KINDS)("keep values of the kind %s where only others go", (kind) => {
    const others = createRedactor({ kinds: REDACTED_KINDS.filter((other) => other !== kind) });
    const only = createRedactor({ kinds: [kind] });
    expect(others.text(VALUES[kind].text)).not.toContain(`[${kind.toUpperCase()}:`);
    expect(only.text(EVERYTHING).match(/\[[A-Z]+:/g)).toEqual([`[${kind.toUpperCase()}:`]);
  });

  it.each([
    "The balance of your savings is $1,234.56, the card ending in 0042 is fine.",
    "Order 100234 was shipped on 2026-11-21 at 10:15:00.",
    "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    '{"balance":1234.56,"currency":"USD"}',
    "",
    "\ud800 half a pair",
    "100% of 5%2 things",
  ])("without values stay as they are: %j", (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it("get the same token for the same value, however it is written", () => {
    const [first, second, third] = [
      redactor.text(`card ${CARD}`),
      redactor.text(`card ${DIGITS}`),
      redactor.text(`card ${CARD.replaceAll(" ", "-")}`),
    ];
    expect(first).toBe(second);
    expect(first).toBe(third);
    expect(redactor.text("Jane@Bank.example.com")).toBe(redactor.text("jane@bank.example.com"));
    expect(redactor.text("card 4716 2210 5188 5662")).not.toBe(first);
  });

  it("get tokens that only the holder of the key can make", () => {
    const again = createRedactor({ key: KEY });
    const other = createRedactor({ key: `another ${KEY}` });
    expect(again.text(CARD)).toBe(redactor.text(CARD));
    expect(other.text(CARD)).not.toBe(redactor.text(CARD));
    expect(createRedactor().text(CARD)).toBe(createRedactor().text(CARD));
    expect(createRedactor().text(CARD)).not.toBe(redactor.text(CARD));
    expect(() => createRedactor({ key: "short" })).toThrow(/expected at least 32 bytes/);
  });

  it("that are redacted already stay as they are", () => {
    const once = redactor.text(`${EVERYTHING} password=correct-horse-battery`);
    expect(redactor.text(once)).toBe(once);
    const value = redactor.value({ password: "hunter2hunter2", pin: "4711", note: EVERYTHING });
    expect(redactor.value(value)).toBe(value);
  });

  it.each(["CVV 737", "my cvv is 737", "PIN: 4711", "?cvc=737&x=1", "PIN code 4711"])(
    "lose codes that are too short for a shape: %s",
    (text) => {
      expect(redactor.text(text)).toContain("[SECRET]");
      expect(redactor.text(text)).not.toMatch(/737|4711/);
    },
  );

  it("lose percent-encoded values", () => {
    const redacted = redactor.text(
      "https://bank.example/?mail=jane.roe%40customer-mail.org&page=2",
    );
    expectClean(decodeURIComponent(redacted));
    expect(redacted).toContain("page=2");
  });

  it("are cut where they are too long to be searched", () => {
    const long = `${"word ".repeat(300_000)}${CARD}`;
    const redacted = redactor.text(long);
    expect(redacted.length).toBeLessThan(1_100_000);
    expect(redacted.endsWith("[CUT BY REDACTION]")).toBe(true);
    // Nor is a number cut in two, of which half would stay.
    for (let shift = 0; shift < 30; shift += 5) {
      for (const value of [`${CARD} ${CARD}`, `1,${DIGITS},2,3`, VALUES.email.value]) {
        const text = `${"x".repeat(1024 * 1024 - 30 + shift)} ${value}`;
        expect(redactor.text(text)).not.toContain(value.slice(0, 8));
        expect(redactor.text(text)).not.toContain(DIGITS.slice(0, 8));
      }
    }
  });
});

describe("JSON in texts", () => {
  it("stays JSON", () => {
    const json = JSON.stringify({ a: [{ note: `pay ${CARD}` }], pin: 4711, ok: true, n: 1.5 });
    const redacted = JSON.parse(redactor.text(json)) as Record<string, unknown>;
    expect(redacted).toEqual({
      a: [{ note: expect.stringMatching(/^pay \[CARD:[a-z2-7]{10}\]$/) as string }],
      pin: "[SECRET]",
      ok: true,
      n: 1.5,
    });
  });

  it("is redacted however deep it is wrapped", () => {
    let json = JSON.stringify({ cvv: "737", text: EVERYTHING });
    for (let depth = 0; depth < 5; depth++) json = JSON.stringify({ inner: json });
    const redacted = redactor.text(json);
    expectClean(redacted);
    expect(redacted).not.toContain("737");
    expect(() => JSON.parse(redacted)).not.toThrow();
  });

  it("hides nothing behind escapes, repeated names or a cut", () => {
    const escaped = `{"card":"${DIGITS.split("")
      .map((digit) => `\\u003${digit}`)
      .join("")}"}`;
    expectClean(JSON.parse(redactor.text(escaped)));
    expectClean(redactor.text(`{"note":"${CARD}","note":"nothing"}`));
    const cut = `{"password":"hunter2hunter2","ssn":"536228147","note":"${CARD}","more":"and so`;
    const redacted = redactor.text(cut);
    expectClean(redacted);
    expect(redacted).not.toContain("hunter2");
    expect(redacted).not.toContain("536228147");
    expect(redactor.text(`got {"password": "hunter2 hunter2"} back`)).not.toContain("hunter2");
    expect(redactor.text(`got {'password': 'hunter2 hunter2'} back`)).not.toContain("hunter2");
    expect(redactor.text(`got {\\"password\\": \\"hunter2 hunter2\\"} back`)).not.toContain(
      "hunter2",
    );
  });

  it("keeps numbers that JavaScript can't hold, and hides them", () => {
    const json = `{"n":12345678901234567890123,"long":6212345678901234569,"note":"${CARD}"}`;
    const redacted = redactor.text(json);
    expect(redacted).toContain("12345678901234567890123");
    expect(redacted).not.toContain("62123456789");
    expectClean(redacted);
    expect(() => JSON.parse(redacted)).not.toThrow();
  });

  it("stays JSON where a text says what the number behind it is", () => {
    const redacted = redactor.text('["account number", 483920175566]');
    expectClean(redacted);
    expect(() => JSON.parse(redacted)).not.toThrow();
  });

  it("is left as it is written when nothing is found", () => {
    const json = '{ "a" : 1.0, "b":"\\u00e9" }';
    expect(redactor.text(json)).toBe(json);
  });
});

describe("values", () => {
  it("are the same object when nothing is found", () => {
    const value = { a: [1, "two", null, { b: true }], map: new Map([["k", "v"]]), c: undefined };
    expect(redactor.value(value)).toBe(value);
  });

  it("are copied, never changed", () => {
    const value = Object.freeze({
      list: Object.freeze([Object.freeze({ text: EVERYTHING }), "kept"]),
      kept: Object.freeze({ a: 1 }),
    });
    const redacted = redactor.value(value);
    expectClean(redacted);
    expect(redacted.kept).toBe(value.kept);
    expect(redacted.list[1]).toBe("kept");
    expect(JSON.stringify(value)).toContain(CARD);
  });

  it("lose what stands in names, numbers, maps, sets, bytes and errors", () => {
    const error = new Error(`refused ${CARD}`, { cause: { note: EVERYTHING } });
    const redacted = redactor.value({
      [CARD]: 1,
      [DIGITS]: 2,
      number: Number(DIGITS),
      bigint: BigInt(DIGITS),
      map: new Map<unknown, unknown>([
        [CARD, CARD],
        ["password", "hunter2hunter2"],
      ]),
      set: new Set([EVERYTHING]),
      bytes: Buffer.from(`pay ${CARD}`),
      error,
    }) as Record<string, unknown>;
    expect(Object.keys(redacted).filter((key) => key.startsWith("[CARD:"))).toHaveLength(2);
    expect(redacted["number"]).toMatch(TOKEN);
    expect(redacted["bigint"]).toBe(redacted["number"]);
    expectClean([...(redacted["map"] as Map<string, string>)]);
    expect([...(redacted["map"] as Map<string, string>).values()][1]).toMatch(TOKEN);
    expectClean([...(redacted["set"] as Set<string>)]);
    expect(redacted["bytes"]).toMatch(/^pay \[CARD:/);
    expectClean(redacted["error"]);
    expect(redacted["error"]).toHaveProperty("message", expect.stringMatching(/^refused \[CARD/));
  });

  it.each([
    ["password", "hunter2 is long", "SECRET"],
    ["userPassword", "hunter2 is long", "SECRET"],
    ["http.request.header.authorization", ["Basic dXNlcjpwYXNz"], "SECRET"],
    ["x-api-key", "0000-1111-2222", "SECRET"],
    ["API_KEY", "0000-1111-2222", "SECRET"],
    ["cvv", 737, "SECRET"],
    ["newPin", "4711", "SECRET"],
    ["customer_ssn", "536228147", "SSN"],
    ["ssn", 536228147, "SSN"],
    ["accountNumber", "483920175566", "ACCOUNT"],
    ["account", "483920175566", "ACCOUNT"],
    ["fromAccount", 483920175566, "ACCOUNT"],
    ["phone", "4158674402", "PHONE"],
    ["email", "jane at customer-mail dot org", "EMAIL"],
    ["credentials", { user: "jane", deep: ["roe"] }, "SECRET"],
  ])("of a member %s go whatever they look like", (name, value, label) => {
    const redacted = JSON.stringify(redactor.value({ [name]: value }));
    for (const leaf of JSON.stringify(value).match(/[\w ]{3,}/g) ?? []) {
      if (!(typeof value === "object" && leaf in value))
        expect(redacted).not.toContain(`"${leaf}"`);
    }
    expect(redacted).toContain(`[${label}`);
    expect(JSON.stringify(redactor.value([{ name, value }]))).toContain(`[${label}`);
  });

  it.each([
    ["account", "ACC-1001"],
    ["accountType", "checking"],
    ["gen_ai.usage.input_tokens", 1234],
    ["gen_ai.request.max_tokens", 4096],
    ["next_page_token", "abc"],
    ["password", true],
    ["pinned", "yes"],
    ["orderId", "100234567"],
    ["timestamp", 1_795_238_895_205],
    ["amount", 12_345.67],
    ["card", "0042"],
  ])("of a member %s stay: %j", (name, value) => {
    const given = { [name]: value };
    expect(redactor.value(given)).toBe(given);
  });

  it("are told by the name of their member as by a word before them", () => {
    const { account } = VALUES;
    const redacted = redactor.value({
      routing: "021000021",
      checkingAccount: account.value,
      ["social security"]: "536 22 8147",
    });
    expectClean(redacted);
  });

  it("keep the schemas of tools, but not examples in them", () => {
    const tool = {
      name: "verify",
      parameters: {
        type: "object",
        properties: {
          ssn: { type: "string", description: "Nine digits." },
          password: { type: "string", description: "Secret.", default: "hunter2hunter2" },
        },
        required: ["ssn"],
      },
    };
    expect(redactor.value(tool)).toEqual({
      ...tool,
      parameters: {
        ...tool.parameters,
        properties: {
          ...tool.parameters.properties,
          password: {
            ...tool.parameters.properties.password,
            default: expect.stringMatching(TOKEN) as string,
          },
        },
      },
    });
  });

  it("of any shape are survived", () => {
    const cyclic: Record<string, unknown> = { note: CARD };
    cyclic["self"] = cyclic;
    expectClean(redactor.value(cyclic));
    let deep: unknown = CARD;
    for (let depth = 0; depth < 1000; depth++) deep = [deep];
    expectClean(redactor.value(deep));
    const many = Array.from({ length: 300_000 }, () => 1) as unknown[];
    many.push(CARD);
    expectClean(redactor.value(many));
    expect(
      Object.keys(redactor.value(JSON.parse(`{"__proto__":{"a":"${CARD}"}}`)) as object),
    ).toEqual(["__proto__"]);
    for (const odd of [undefined, null, () => CARD, Symbol("s"), Number.NaN, new Date(0)]) {
      expect(redactor.value(odd)).toBe(odd);
    }
  });
});

describe("identifiers", () => {
  it("go if they are a value or hold one that can't be taken for another", () => {
    expect(redactor.identifier(VALUES.email.value)).toMatch(TOKEN);
    expect(redactor.identifier(DIGITS)).toMatch(TOKEN);
    expectClean(redactor.identifier(`user:${VALUES.email.value}`));
    expectClean(redactor.identifier(`session ${CARD}`));
  });

  it.each(["customer-88213", "session-2044", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "42"])(
    "stay otherwise: %s",
    (identifier) => {
      expect(redactor.identifier(identifier)).toBe(identifier);
      expect(redactor.value({ "session.id": identifier })).toEqual({ "session.id": identifier });
    },
  );
});

describe("a redactor that fails", () => {
  const failing = (custom: (text: string) => string) => {
    const errors: unknown[] = [];
    const made = createRedactor({ custom, onFailure: (error) => errors.push(error) });
    return { made, errors };
  };

  it("leaves a marker, never the text", () => {
    const { made, errors } = failing((text) => {
      if (text.includes("bad")) throw new Error(text);
      return text;
    });
    expect(made.text(`bad ${CARD}`)).toBe("[REDACTION FAILED]");
    expect(made.identifier("bad id")).toBe("[REDACTION FAILED]");
    expect(made.value({ a: "bad", b: ["good", "bad"] })).toEqual({
      a: "[REDACTION FAILED]",
      b: ["good", "[REDACTION FAILED]"],
    });
    expect(made.text('{"a":"bad"}')).toBe('{"a":"[REDACTION FAILED]"}');
    expect(made.failures).toBe(5);
    expect(errors).toHaveLength(5);
  });

  it("fails by anything but a text", async () => {
    const { made } = failing((() => Promise.reject(new Error(CARD))) as never);
    expect(made.text("text")).toBe("[REDACTION FAILED]");
    const { made: other } = failing((() => undefined) as never);
    expect(other.text("text")).toBe("[REDACTION FAILED]");
    // The rejection is nobody's.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("leaves a marker for what can't be read", () => {
    const { made } = failing((text) => text);
    const unreadable = {
      get secret(): string {
        throw new Error(CARD);
      },
    };
    expect(made.value({ a: 1, unreadable })).toEqual({ a: 1, unreadable: "[REDACTION FAILED]" });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(made.value(proxy)).toBe("[REDACTION FAILED]");
  });

  it("is not harmed by a listener that throws", () => {
    const made = createRedactor({
      custom: () => {
        throw new Error("no");
      },
      onFailure: () => {
        throw new Error("nor this");
      },
    });
    expect(made.text("text")).toBe("[REDACTION FAILED]");
  });
});

describe("the caller's own function", () => {
  it("runs before the detectors, so that what it gives is searched as well", () => {
    const made = createRedactor({
      custom: (text) => text.replaceAll("Jane Roe", `[NAME] ${CARD}`),
    });
    expect(made.text("I am Jane Roe.")).toMatch(/^I am \[NAME\] \[CARD:[a-z2-7]{10}\]\.$/);
    expect(made.value({ "Jane Roe": ['{"name":"Jane Roe"}'] })).not.toContain("Jane");
  });
});

describe("whatever comes", () => {
  it.each(["9 ", '"a":', "\\", "[", "a@", "%41", '{"a":', "account 12345678 ", "pin ", "AB12"])(
    "ends in time: %j, again and again",
    (part) => {
      expect(redactor.text(part.repeat(65_536 / part.length))).toEqual(expect.any(String));
    },
  );

  it("never throws, and finds nothing in what it has redacted", () => {
    fc.assert(
      fc.property(fc.anything({ withMap: true, withSet: true, withBigInt: true }), (value) => {
        const once = redactor.value(value);
        expect(redactor.value(once)).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  it("hides a card in any JSON", () => {
    const planted = fc.oneof(
      fc.constant(CARD),
      fc.string().map((text) => `${text.replaceAll(/[\p{L}\p{N}_.$€£-]/gu, "")} ${CARD} end`),
      fc.constant(Number(DIGITS)),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        planted,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
        tie("value").map((inner) => JSON.stringify(inner)),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => expectClean(JSON.stringify(redactor.value(given)))),
      { numRuns: 200 },
    );
  });
});
