// Letters of other scripts by the Latin letter that they are drawn like, after Unicode's confusables.txt; capitals
// stand with the small letters because the rules ignore case.
function listLookalikes(): Readonly<Record<string, string>> {
  return {
    a: "\u0430\u0410\u03b1\u0391\u0251\u1d00\ua4ee",
    b: "\u0412\u0392\u0184\u0299\u042c\u044c\ua4d0",
    c: "\u0441\u0421\u03f2\u03f9\u1d04\ua4da",
    d: "\u0501\u0500\u1d05\ua4d3",
    e: "\u0435\u0415\u0395\u03b5\u0454\u1d07\ua4f0",
    f: "\u03dc\ua730\ua4dd\u0192",
    g: "\u0261\u050d\u050c\u0262\ua4d6\u0581",
    h: "\u04bb\u04ba\u041d\u043d\u0397\u029c\u0570\ua4e7",
    i: "\u0456\u0406\u0399\u03b9\u0131\u026a\ua4f2\u04cf",
    j: "\u0458\u0408\u03f3\u1d0a\ua4d9",
    k: "\u043a\u041a\u039a\u03ba\u1d0b\ua4d7",
    l: "\u04c0\u029f\u217c\ua4e1\u0196",
    m: "\u043c\u041c\u039c\u1d0d\ua4df",
    n: "\u0578\u039d\u0274\ua4e0\u03b7\u057c",
    o: "\u043e\u041e\u03bf\u039f\u03c3\u0585\u1d0f\ua4f3",
    p: "\u0440\u0420\u03c1\u03a1\u1d18\ua4d1",
    q: "\u051b\u051a\u0566",
    r: "\u0433\u1d26\u0280\ua4e3",
    s: "\u0455\u0405\ua731\ua4e2\u057d",
    t: "\u0442\u0422\u03c4\u03a4\u1d1b\ua4d4",
    u: "\u057d\u1d1c\u03c5\ua4f4\u0446",
    v: "\u03bd\u0475\u0474\u1d20\ua4e6",
    w: "\u051d\u051c\u0461\u1d21\ua4ea\u0561",
    x: "\u0445\u0425\u03c7\u03a7\ua4eb",
    y: "\u0443\u0423\u03b3\u03a5\u04af\u04ae\u028f\ua4ec",
    z: "\u1d22\u0396\ua4dc",
  };
}

let latinOf: ReadonlyMap<string, string> | undefined;

function readLookalikes(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(listLookalikes()).flatMap(([latin, others]) =>
      Array.from(others, (other) => [other, latin] as const),
    ),
  );
}

/**
 * Returns the Latin letter that a letter of another script is drawn like.
 *
 * @see https://www.unicode.org/reports/tr39/#Confusable_Detection
 */
export function toLatinLookalike(character: string): string | undefined {
  latinOf ??= readLookalikes();
  return latinOf.get(character);
}
