import { linear } from "../text/pattern.ts";

const LONG = 32 * 1024;

const SHORT_TEXTS = [
  "",
  " ",
  "\n\r\n\t",
  "\u0000\u0007\u001b[31m",
  "\ud800 \udc00",
  "\u202e0001 erugif\u202c\u200b\u2060\ufeff",
  "e\u0301\u0327 \u{1d7d7}\u{1d7d7}\u{1d7d7} \u{1f469}\u200d\u{1f4bb}",
  "\uff14\uff11\uff11\uff11 \u0661\u0662\u0663 \u4e94\u5343",
  "((((([[[[{{{{\\\\\\\\****++++????||||^^^^$$$$",
  "\"\"'' \u201c\u201d ... !!! ,;,;",
];

/** Pieces that make slow patterns slow when they are repeated. */
const BRICKS = [
  "a",
  " ",
  "9 ",
  "1 ",
  "4",
  ". ",
  "no ",
  "can't ",
  "$1,000 ",
  '"',
  "\u200b",
  "\u0435a ",
];

const SENTENCE_END = linear(/[.?!]/g);

function toLong(brick: string): string {
  return brick.repeat(Math.ceil(LONG / brick.length)).slice(0, LONG);
}

/** Two messages that a rule must survive. */
export interface StressExchange {
  readonly userMessage: string;
  readonly agentResponse: string;
}

/**
 * Returns exchanges that a rule must survive: empty and odd texts, and such of 32 KB that make bad patterns slow.
 *
 * @param samples - Texts of the rule's own cases; they are repeated as well.
 */
export function stressExchanges(samples: readonly string[]): StressExchange[] {
  const own = samples.filter((sample) => sample !== "").slice(0, 3);
  // Without an end of a sentence all that a rule looks for stands in one.
  const bricks = [
    ...BRICKS,
    ...own,
    ...own.map((sample) => `${sample.replaceAll(SENTENCE_END, "")} `),
  ];
  const long = bricks.map(toLong);
  return [
    ...SHORT_TEXTS.map((text) => ({ userMessage: text, agentResponse: text })),
    // Each on one side: to read one takes longer than most rules do.
    ...Array.from({ length: Math.ceil(long.length / 2) }, (_, index) => ({
      userMessage: long[2 * index] ?? "",
      agentResponse: long[2 * index + 1] ?? "",
    })),
  ];
}
