const WITHOUT_APOSTROPHE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    cannot: ["can", "not"],
    cant: ["can", "not"],
    wont: ["will", "not"],
    dont: ["do", "not"],
    doesnt: ["does", "not"],
    didnt: ["did", "not"],
    isnt: ["is", "not"],
    arent: ["are", "not"],
    wasnt: ["was", "not"],
    werent: ["were", "not"],
    couldnt: ["could", "not"],
    wouldnt: ["would", "not"],
    shouldnt: ["should", "not"],
    hasnt: ["has", "not"],
    havent: ["have", "not"],
    hadnt: ["had", "not"],
    aint: ["is", "not"],
    youre: ["you", "are"],
    theyre: ["they", "are"],
    weve: ["we", "have"],
    ive: ["i", "have"],
    youve: ["you", "have"],
    youll: ["you", "will"],
    itll: ["it", "will"],
    im: ["i", "am"],
    thats: ["that", "is"],
    theres: ["there", "is"],
    whats: ["what", "is"],
    gonna: ["going", "to"],
    wanna: ["want", "to"],
    gotta: ["have", "to"],
    gimme: ["give", "me"],
    lemme: ["let", "me"],
    u: ["you"],
    ur: ["your"],
    pls: ["please"],
    plz: ["please"],
    acct: ["account"],
    accts: ["accounts"],
    w: ["with"],
  }),
);

const ENDINGS: Readonly<Record<string, string>> = {
  ll: "will",
  re: "are",
  ve: "have",
  m: "am",
  d: "would",
};

const NEGATED_STEMS: Readonly<Record<string, string>> = {
  ca: "can",
  wo: "will",
  sha: "shall",
  ai: "is",
};

/** Words after which `'s` is short for "is". */
const BEFORE_IS = new Set(
  "it that there here what who where how he she everything nothing everyone nobody this".split(" "),
);

/**
 * Writes a contracted word out: `can't` as `can not`, `it's` as `it is`.
 *
 * @returns `undefined` for a word that stands for itself.
 */
export function writeOut(word: string): readonly string[] | undefined {
  const apostrophe = word.lastIndexOf("'");
  if (apostrophe < 0) return WITHOUT_APOSTROPHE.get(word);
  // A phrase may name the ending alone.
  if (apostrophe === 0) return undefined;
  const stem = word.slice(0, apostrophe);
  const ending = word.slice(apostrophe + 1);
  if (ending === "t" && stem.endsWith("n")) {
    const verb = stem.slice(0, -1);
    return [NEGATED_STEMS[verb] ?? verb, "not"];
  }
  if (ending === "s") return [stem, BEFORE_IS.has(stem) ? "is" : "'s"];
  const full = ENDINGS[ending];
  return full === undefined ? [stem] : [stem, full];
}
