import { expect } from "vitest";
import type { Sink } from "../helpers/sink.ts";
import { CANARIES } from "./values.ts";

/** All that came over the wire: paths, headers, and bodies as they are inside any compression. */
export function wireOf(sink: Sink): string {
  return sink.requests
    .map(({ path, headers, text }) => `${path}\n${JSON.stringify(headers)}\n${text}`)
    .join("\n");
}

/** Expects that nothing of the canaries is in a text, with escapes undone as well. */
export function expectNoCanary(text: string): void {
  // Bytes travel as Base64 there.
  const bytes = (text.match(/[\w+/]{16,}={0,2}/g) ?? [])
    .map((encoded) => Buffer.from(encoded, "base64").toString("latin1"))
    .join("\n");
  for (const form of [text, decodeURIComponentSafely(text), bytes]) {
    for (const canary of CANARIES) expect(form.includes(canary), canary).toBe(false);
  }
}

function decodeURIComponentSafely(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
