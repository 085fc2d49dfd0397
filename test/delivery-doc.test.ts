import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DELIVERY_METRICS } from "../src/delivery/delivery-stats.ts";
import { DROP_REASONS, LOSS_CAUSES, toLossMessage, toLossSummary } from "../src/delivery/ledger.ts";

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

/** Alerts by name, with the reasons that their rule asks for. */
const rules = new Map(
  Array.from(
    text.matchAll(/- alert: (\w+)\n +expr: (.+)\n/g),
    ([, name = "", rule = ""]) =>
      [name, /drop_reason=~"([a-z_|]+)"/.exec(rule)?.[1]?.split("|") ?? []] as const,
  ),
);

it.each(DROP_REASONS)("the reason %s is told of in the documentation, with one alert", (reason) => {
  const row = text.split("\n").find((line) => line.startsWith(`| \`${reason}\` |`)) ?? "";
  expect(row).toContain(LOSS_CAUSES[reason]);
  const alerts = [...rules].filter(([, reasons]) => reasons.includes(reason));
  expect(alerts.map(([name]) => `\`${name}\``)).toEqual([row.split("|").at(-2)?.trim()]);
});

it("asks in its alerts for metrics that there are, and for no reason that there is not", () => {
  expect([...rules.values()].flat().toSorted()).toEqual(DROP_REASONS.toSorted());
  const units: Record<string, string> = { s: "_seconds", By: "_bytes" };
  const names = Object.values(DELIVERY_METRICS).map(
    ({ name, unit, instrument }) =>
      name.replaceAll(".", "_") + (units[unit] ?? "") + (instrument === "counter" ? "_total" : ""),
  );
  const asked = Array.from(text.matchAll(/agent_monitor_delivery_\w+/g), ([name]) => name);
  expect(asked.length).toBeGreaterThan(5);
  for (const name of asked) expect(names).toContain(name);
});

it.each(DROP_REASONS)("a loss for the reason %s is told in the line at the end", (reason) => {
  const losses = { dropped: 2, dead: 0, droppedByReason: { [reason]: 2 } };
  expect(toLossSummary(losses)).toBe(`2 events are lost: 2 ${reason} (${LOSS_CAUSES[reason]})`);
  expect(toLossMessage(reason, 1)).toBe(`1 event is lost: ${LOSS_CAUSES[reason]}`);
});

it("tells at the end of what the platform refused, and nothing when nothing is lost", () => {
  expect(toLossSummary({ dropped: 0, dead: 1, droppedByReason: {} })).toBe(
    "1 event refused by the platform for good (dead)",
  );
  expect(toLossSummary({ dropped: 0, dead: 0, droppedByReason: {} })).toBeUndefined();
});
