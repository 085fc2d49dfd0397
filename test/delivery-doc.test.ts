import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DROP_REASONS } from "../src/exporter/ledger.ts";

const ROOT = join(import.meta.dirname, "..");
const text = readFileSync(join(ROOT, "docs/delivery.md"), "utf8");

it("names a test for every guarantee, and every named test is there", () => {
  const rows = text.split("\n").filter((line) => /^\| \d+ \|/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const proof = row.split("|").at(-2) ?? "";
    const names = Array.from(proof.matchAll(/`([a-z/-]+)`/g), ([, name]) => name ?? "");
    if (names.length === 0) expect(proof).toContain("every fault test");
    for (const name of names)
      expect(existsSync(join(ROOT, "test", `${name}.test.ts`)), name).toBe(true);
  }
});

it.each(DROP_REASONS.filter((reason) => !["internal_error"].includes(reason)))(
  "the reason %s is told of in the documentation",
  (reason) => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    expect(text + readme).toContain(`\`${reason}\``);
  },
);
