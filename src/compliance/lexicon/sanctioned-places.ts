/** A place under comprehensive sanctions of the United States. */
export interface SanctionedPlace {
  readonly name: string;
  /** Codes of ISO 3166, none for a part of a country. */
  readonly codes: readonly string[];
  /** Names of the place, its people and its larger towns, in small letters. */
  readonly words: readonly string[];
}

/**
 * Places under comprehensive sanctions, read on 2026-11-21; Syria left the list in mid-2025.
 *
 * @see 31 CFR chapter V
 */
export const SANCTIONED_PLACES: readonly SanctionedPlace[] = [
  {
    name: "Iran",
    codes: ["IR", "IRN"],
    words: [
      "iran",
      "iranian",
      "iranians",
      "tehran",
      "teheran",
      "isfahan",
      "esfahan",
      "shiraz",
      "mashhad",
      "tabriz",
      "bandar abbas",
    ],
  },
  {
    name: "Cuba",
    codes: ["CU", "CUB"],
    words: ["cuba", "cuban", "cubans", "havana", "santiago de cuba", "camaguey", "varadero"],
  },
  {
    name: "North Korea",
    codes: ["KP", "PRK"],
    words: [
      "north korea",
      "north korean",
      "north koreans",
      "dprk",
      "pyongyang",
      "wonsan",
      "kaesong",
    ],
  },
  {
    name: "Crimea",
    codes: [],
    words: ["crimea", "crimean", "sevastopol", "simferopol", "yalta", "kerch"],
  },
  {
    name: "the so-called Donetsk People's Republic",
    codes: [],
    words: ["donetsk", "dnr", "dpr", "mariupol", "horlivka"],
  },
  {
    name: "the so-called Luhansk People's Republic",
    codes: [],
    words: ["luhansk", "lugansk", "lnr", "lpr"],
  },
];

/** The names as alternatives of a phrase. */
export function listSanctionedPlaces(): string {
  return SANCTIONED_PLACES.flatMap(({ words }) => words).join(" | ");
}
