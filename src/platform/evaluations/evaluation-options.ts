import * as z from "zod";
import { isProtected } from "../sign-in/oidc-options.ts";

/** Where decisions are sent as evaluations. */
export interface EvaluationOptions {
  /** Address for log records in OTLP/HTTP, `https://collector.bank.example/v1/logs`; http for loopback only. */
  readonly url: string;
  /** Headers of each request, for a key of the receiver. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const MAX_HEADERS = 20;

export const evaluationsSchema: z.ZodType<EvaluationOptions> = z.strictObject({
  url: z.string().max(2048).refine(isProtected, "expected https; http for loopback only"),
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, "expected names of headers"),
      // A value that breaks the line would be a header of its own.
      z.string().regex(/^[\t\x20-\x7e]{1,4096}$/, "expected visible characters"),
    )
    .refine(
      (headers) => Object.keys(headers).length <= MAX_HEADERS,
      `expected at most ${MAX_HEADERS}`,
    )
    .optional(),
});
