import { expect, it } from "vitest";
import { countProgress, createProgress, formatProgress } from "../../src/cli/progress.ts";

function createTerminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

it("draws a bar in one line, seldom, and its end always", () => {
  const terminal = createTerminal(true);
  let now = 0;
  const progress = createProgress(false, terminal, () => now);
  progress.show("batches", 1, 4);
  progress.show("batches", 2, 4);
  now = 1000;
  progress.show("batches", 3, 4);
  progress.show("batches", 4, 4);
  progress.end();
  const shown = terminal.written.map((text) =>
    text.replace("\r\u001b[2K", "").replace(/^[█░]+ /, ""),
  );
  expect(shown).toEqual(["1 of 4 batches", "3 of 4 batches", "4 of 4 batches", ""]);
  expect(formatProgress("batches", 2, 4)).toBe(`${"█".repeat(12)}${"░".repeat(12)} 2 of 4 batches`);
});

it.each([
  [false, false],
  [true, true],
])("draws nothing without a terminal, nor beside JSON: %s %s", (isTTY, isJson) => {
  const terminal = createTerminal(isTTY);
  const progress = createProgress(isJson, terminal);
  progress.show("batches", 4, 4);
  progress.end();
  expect(terminal.written).toEqual([]);
});

it("counts what it hands on, and takes the bar away where reading ends early", async () => {
  const terminal = createTerminal(true);
  const progress = createProgress(false, terminal, () => 0);
  async function* count() {
    yield* [1, 2, 3];
  }
  for await (const value of countProgress(count(), progress, "batches")) if (value === 2) break;
  expect(terminal.written.at(-1)).toBe("\r\u001b[2K");
});
