import * as z from "zod";

const MAX_PACK = 512 * 1024;
const MAX_ANSWERS = 5000;
const DEFAULT_ANSWERS = 1000;

/** What is to be tested on which answers. */
export const backTestSchema = z
  .strictObject({
    pack: z.string().min(1).max(MAX_PACK),
    from: z.int().nonnegative().default(0),
    to: z.int().nonnegative().optional(),
    limit: z.int().min(1).max(MAX_ANSWERS).default(DEFAULT_ANSWERS),
  })
  .refine(({ from, to = Infinity }) => from < to, {
    error: "expected from to be before to",
    path: ["to"],
  });
