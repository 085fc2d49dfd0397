import { runInNewContext } from "node:vm";
import { setFlagsFromString } from "node:v8";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutString } from "../../src/util/cut-string.ts";
import { setOwn, type JsonValue } from "../../src/util/values.ts";
import { isError } from "../../src/util/untrusted-values.ts";
import { toJsonValue } from "../../src/util/safe-json.ts";

const LIMIT = 100_000;
const copy = (value: unknown): JsonValue => toJsonValue(value, LIMIT).value;

function fail(): never {
  throw new Error("refused");
}

/** Tells whether a value is what JSON can hold, in plain objects. */
function isPlainJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every(isPlainJson);
  return (
    Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlainJson)
  );
}

describe("toJsonValue", () => {
  it("makes plain JSON, within its bound, of anything", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withNullPrototype: true,
      withObjectString: true,
      maxDepth: 6,
    });
    fc.assert(
      fc.property(anything, fc.constantFrom(0, 1, 10, 100, 10_000), (value, limit) => {
        const result = toJsonValue(value, limit);
        expect(isPlainJson(result.value)).toBe(true);
        expect(JSON.parse(JSON.stringify(result.value))).toEqual(result.value);
        // The bound counts units, not the JSON around them; a number is one.
        expect(JSON.stringify(result.value).length).toBeLessThanOrEqual(limit * 25 + 100);
      }),
      { numRuns: 2000 },
    );
  });

  it("gives JSON back as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as JsonValue;
        const copied = toJsonValue(plain, 1_000_000);
        expect(copied.value).toEqual(plain);
        expect(copied.truncated).toBe(false);
        expect(copied.length).toBeLessThanOrEqual(JSON.stringify(plain).length + 1);
      }),
    );
  });

  it.each<[string, unknown, JsonValue]>([
    ["undefined", undefined, null],
    ["NaN", NaN, "NaN"],
    ["-Infinity", -Infinity, "-Infinity"],
    ["-0", -0, 0],
    ["a bigint", 12n, "12"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["a function", function transfer() {}, "[function transfer]"],
    ["a class", class Account {}, "[function Account]"],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid date", new Date(NaN), null],
    ["a regular expression", /a+/gi, "/a+/gi"],
    ["a promise", Promise.resolve(1), "[promise]"],
    ["a URL", new URL("https://bank.example/a"), "https://bank.example/a"],
    ["a boxed string", Object("text"), "text"],
    ["a boxed number", Object(5), 5],
    ["a boxed boolean", Object(false), false],
    ["a boxed bigint", Object(5n), "5"],
    [
      "a map with text keys",
      new Map<string, unknown>([
        ["a", 1],
        ["__proto__x", new Set([1])],
      ]),
      { a: 1, __proto__x: [1] },
    ],
    ["a map with other keys", new Map<unknown, unknown>([[{ a: 1 }, 2]]), [[{ a: 1 }, 2]]],
    ["a set", new Set([1, "a"]), [1, "a"]],
    ["a weak map", new WeakMap(), {}],
    ["a buffer", Buffer.from("hi"), { type: "Buffer", base64: "aGk=" }],
    [
      "a part of an array of bytes",
      new Uint8Array([1, 104, 105]).subarray(1),
      { type: "Uint8Array", base64: "aGk=" },
    ],
    [
      "a data view",
      new DataView(new Uint8Array([104, 105]).buffer),
      { type: "DataView", base64: "aGk=" },
    ],
    ["an array buffer", new Uint8Array([104, 105]).buffer, { type: "Uint8Array", base64: "aGk=" }],
    [
      "an object without prototype",
      Object.assign(Object.create(null) as object, { a: 1 }),
      { a: 1 },
    ],
    ["a sparse array", Object.assign([], { 2: 1, length: 3 }), [null, null, 1]],
    ["members that are undefined", { a: undefined, b: 1 }, { b: 1 }],
    ["symbol keys", { [Symbol("s")]: 1, b: 1 }, { b: 1 }],
    ["an object that says what it is", { toJSON: () => ({ a: 1n }) }, { a: "1" }],
    [
      "an object that says it is itself",
      Object.assign(
        Object.create({
          toJSON(this: object) {
            return this;
          },
        }) as object,
        { a: 1 },
      ),
      { a: 1 },
    ],
  ])("copies %s", (_name, value, expected) => {
    const copied = toJsonValue(value, LIMIT);
    expect(copied.value).toEqual(expected);
    expect(copied.truncated).toBe(false);
  });

  it("keeps the members of an instance that also has a primitive value", () => {
    class Money {
      readonly amount = 5;
      readonly currency = "EUR";
      valueOf(): number {
        return this.amount;
      }
    }
    expect(copy(new Money())).toEqual({ amount: 5, currency: "EUR" });
    expect(copy({ valueOf: () => 7, currency: "EUR" })).toMatchObject({ currency: "EUR" });
  });

  it("keeps what an Error says, its cause and its own members", () => {
    const error = Object.assign(new TypeError("limit", { cause: new Error("quota") }), {
      code: "E1",
      account: 7,
    });
    expect(copy(error)).toEqual({
      name: "TypeError",
      message: "limit",
      stack: error.stack,
      code: "E1",
      account: 7,
      cause: expect.objectContaining({ message: "quota" }) as unknown,
    });
    expect(copy(new AggregateError([new Error("a")], "b"))).toMatchObject({
      message: "b",
      errors: [{ message: "a" }],
    });
  });

  it("knows what is of another realm", () => {
    expect(copy(runInNewContext("new RangeError('limit')"))).toMatchObject({
      name: "RangeError",
      message: "limit",
    });
    expect(copy(runInNewContext("new Map([['a', new Set([1])]])"))).toEqual({ a: [1] });
    expect(copy(runInNewContext("({ a: [1, null] })"))).toEqual({ a: [1, null] });
  });

  it("says where it would go round in circles, and only there", () => {
    const shared = { x: 1 };
    const cyclic: Record<string, unknown> = { a: shared, b: shared };
    cyclic["self"] = { back: cyclic };
    expect(copy(cyclic)).toEqual({ a: { x: 1 }, b: { x: 1 }, self: { back: "[circular]" } });
  });

  it("keeps own members named __proto__ and pollutes nothing", () => {
    const value = copy(JSON.parse('{"__proto__":{"polluted":true},"a":1}')) as Record<
      string,
      JsonValue
    >;
    expect(Object.getOwnPropertyDescriptor(value, "__proto__")?.value).toEqual({ polluted: true });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(copy(new Map([["__proto__", 1]]))).toSatisfy((map: object) =>
      Object.hasOwn(map, "__proto__"),
    );
  });

  it("survives whatever throws, and keeps the rest", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = {
      get getter() {
        return fail();
      },
      json: { toJSON: fail },
      proxy: new Proxy({}, { ownKeys: fail }),
      traps: new Proxy({}, { get: fail, getPrototypeOf: fail }),
      revoked: proxy,
      iterator: Object.assign([1], { [Symbol.iterator]: fail }),
      named: Object.defineProperty(() => 1, "name", { value: { toString: fail } }),
      hostileClass: class {
        static readonly name = Object.create(null) as string;
      },
      error: Object.defineProperty(new Error("x"), "message", { get: fail }),
      bytes: Object.defineProperty(new Uint8Array(1), "constructor", { value: null }),
      fine: 1,
    };
    const value = copy(hostile) as Record<string, JsonValue>;
    expect(isPlainJson(value)).toBe(true);
    expect(value).toMatchObject({
      getter: "[unreadable]",
      proxy: "[unreadable]",
      revoked: "[unreadable]",
      fine: 1,
    });
    expect(value["error"]).toMatchObject({ name: "Error", message: "[unreadable]" });
  });

  it("names bytes in plain JSON, whatever their class says its name is", () => {
    class Odd extends Uint8Array {
      static override readonly name = 10n as unknown as string;
    }
    expect(isPlainJson(copy(new Odd(2)))).toBe(true);
  });

  it("ends, whatever has no end", () => {
    let made = 0;
    const endless: object = new Proxy(
      {},
      {
        get: () => endless,
        ownKeys: () => ["next"],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
      },
    );
    const iterable = Object.assign([], {
      *[Symbol.iterator]() {
        for (;;) yield made++;
      },
    });
    class EndlessMap extends Map<string, number> {
      override *keys(): MapIterator<string> {
        for (;;) yield "a";
      }
      override *entries(): MapIterator<[string, number]> {
        for (;;) yield ["a", 1];
      }
      override [Symbol.iterator](): MapIterator<[string, number]> {
        return this.entries();
      }
    }
    class EndlessSet extends Set<number> {
      override *[Symbol.iterator](): SetIterator<number> {
        for (;;) yield 1;
      }
    }
    let chain: object = {};
    chain = { toJSON: () => ({ ...chain }) };
    for (const value of [
      endless,
      iterable,
      new EndlessMap([["a", 1]]),
      new EndlessSet([1]),
      chain,
    ]) {
      expect(JSON.stringify(toJsonValue(value, 1000).value).length).toBeLessThan(10_000);
    }
    expect(made).toBeLessThan(2000);
  });

  it.each<[string, () => unknown]>([
    ["a text of 100 million characters", () => "x".repeat(100_000_000)],
    ["a key of 10 million characters", () => ({ a: 1, ["k".repeat(10_000_000)]: 2, b: 3 })],
    ["a symbol of 10 million characters", () => Symbol("x".repeat(10_000_000))],
    [
      "a function with a long name",
      () => Object.defineProperty(() => 1, "name", { value: "x".repeat(10_000_000) }),
    ],
    ["an array of 100,000 objects", () => Array.from({ length: 100_000 }, () => ({ a: 1 }))],
    [
      "an object of 100,000 members",
      () => Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index])),
    ],
    ["an array with a far end", () => Object.assign([], { 4294967294: 1 })],
    [
      "10,000 levels",
      () => Array.from({ length: 10_000 }).reduce<unknown>((inner) => ({ inner }), 1),
    ],
    [
      "10,000 causes",
      () => Array.from({ length: 10_000 }).reduce<unknown>((cause) => new Error("x", { cause }), 1),
    ],
    ["10 MB of bytes", () => Buffer.alloc(10_000_000)],
    [
      "a map of 100,000 entries",
      () => new Map(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index])),
    ],
    ["a number of a million digits", () => 10n ** 1_000_000n],
  ])("cuts %s, and says so", (_name, make) => {
    const { value, truncated } = toJsonValue(make(), 10_000);
    expect(truncated).toBe(true);
    expect(JSON.stringify(value).length).toBeLessThan(60_000);
  });

  it("keeps members beside a key that is too long", () => {
    expect(copy({ a: 1, ["k".repeat(LIMIT + 1)]: 2, b: 3 })).toEqual({ a: 1, b: 3 });
  });
});

describe("cutString", () => {
  it("leaves a text that fits", () => {
    expect(cutString("💶", 2)).toBe("💶");
    expect(cutString("", 0)).toBe("");
  });

  it("splits no surrogate pair, and keeps halves that were alone before", () => {
    expect(cutString("a💶b", 2)).toBe("a");
    expect(cutString("a💶b", 3)).toBe("a💶");
    expect(cutString("\udc00\ud83d\ud83d!", 1)).toBe("\udc00");
    expect(cutString("abc", 0)).toBe("");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, length) => {
        const cut = cutString(text, length);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(length, text.length) - 1);
        expect(cut.isWellFormed() || !text.isWellFormed()).toBe(true);
      }),
    );
  });

  it("lets go of the text that it is a part of", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    collect();
    const before = process.memoryUsage().heapUsed;
    const cuts = Array.from({ length: 20 }, (_, index) =>
      cutString(`${index}${"x".repeat(5_000_000)}`.toUpperCase(), 100),
    );
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(cuts[7]).toBe(`7${"X".repeat(99)}`);
  });
});

describe("isError", () => {
  it("knows errors of every realm, and nothing else", () => {
    class BankError extends Error {}
    for (const error of [new Error("x"), new BankError("x"), runInNewContext("new Error('x')")])
      expect(isError(error)).toBe(true);
    for (const value of [
      { message: "x", stack: "y" },
      "Error",
      null,
      undefined,
      new Proxy({}, { getPrototypeOf: fail }),
    ])
      expect(isError(value)).toBe(false);
  });
});

describe("setOwn", () => {
  it("sets a member of any name", () => {
    const target: { [key: string]: JsonValue } = {};
    for (const key of ["a", "", "constructor", "__proto__"]) setOwn(target, key, 1);
    expect(Object.entries(target)).toEqual([
      ["a", 1],
      ["", 1],
      ["constructor", 1],
      ["__proto__", 1],
    ]);
  });
});
