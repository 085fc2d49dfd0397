import * as z from "zod";
import { lazySchema } from "./lazy-schema.ts";

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function toEndpointProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "expected an absolute URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return "expected a URL without user name and password";
  // An empty query is none to `URL`, but a path appended to it would be part of it.
  if (/[?#]/.test(text)) return "expected a URL without query and fragment";
  if (url.pathname.includes("//")) return "expected a path without empty parts";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && LOOPBACK_HOST.test(url.hostname)) return undefined;
  return "expected https, or http to a loopback address: credentials never travel in the clear";
}

// A URL with a password must not stand in an error message, so only the reason is told.
/** Accepts a base URL: https, or http to loopback; without credentials, query and fragment. */
export const endpointSchema = lazySchema(() =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const problem = toEndpointProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    }),
);
