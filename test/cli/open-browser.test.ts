import { expect, it } from "vitest";
import { openBrowser } from "../../src/cli/open-browser.ts";

const URL = "http://127.0.0.1:1/#/queue";
const run = (code: string): string[] => [process.execPath, "-e", code];

it("says nothing where the browser was opened with the address", async () => {
  expect(await openBrowser(URL, run(`process.exit(process.argv[1] === "${URL}" ? 0 : 1)`))).toBe(
    undefined,
  );
});

it("says why it was not opened, and never fails", async () => {
  expect(await openBrowser(URL, ["no-such-program"])).toBe("no-such-program can't be run (ENOENT)");
  expect(await openBrowser(URL, run("process.exit(3)"))).toMatch(/ failed$/);
});
