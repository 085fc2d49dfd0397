import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { startFixture } from "../helpers/child.ts";
import { makeDirectory } from "../helpers/spool.ts";
import { runCommand } from "../helpers/command.ts";
import { openStored } from "./stored-database.ts";

interface Line {
  readonly batchId: string;
  readonly metadata: {
    readonly chain: { readonly writerId: string; readonly predecessors?: object[] };
  };
}

async function start(database: string): Promise<Platform> {
  const platform = await startPlatform({ port: 0, database });
  onTestFinished(() => platform.close());
  return platform;
}

async function readLines({ url }: Platform): Promise<Line[]> {
  const text = await (await fetch(`${url}/api/batches/export`)).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** Removes every trace of a writer's batches, as somebody could who may write in the database. */
async function removeWriter(path: string, batchIds: readonly string[]): Promise<void> {
  const database = await openStored(path);
  for (const id of batchIds) {
    const where = "WHERE seq IN (SELECT seq FROM batch WHERE batch_id = ?)";
    await database.run(`DELETE FROM frame ${where}`, [id]);
    await database.run("DELETE FROM body WHERE seq IN (SELECT seq FROM event WHERE batch_id = ?)", [
      id,
    ]);
    await database.run("DELETE FROM event WHERE batch_id = ?", [id]);
    expect(await database.run("DELETE FROM batch WHERE batch_id = ?", [id])).toBe(1);
  }
  await database.close();
}

it("shows that all batches of a process are gone, however it and those behind it ended", async () => {
  const directory = makeDirectory();
  const spool = join(directory, "spool");
  const database = join(directory, "platform.db");
  const before = await start(database);
  for (const MODE of ["end", "die", "die", "end", "end"]) {
    const variables = { DIRECTORY: spool, ENDPOINT: before.url, MODE };
    const { code, signal, stderr } = await startFixture("spool/monitor", variables).result;
    expect({ code, signal, stderr }).toEqual({
      code: MODE === "end" ? 0 : null,
      signal: MODE === "end" ? null : "SIGKILL",
      stderr: "",
    });
  }
  const whole = await runCommand(["verify", before.url]);
  expect(whole.out).toMatch(
    /\nverified: \d+ batches, 5 writers\nnot proven: .*of 1 writer are there/,
  );
  expect(whole.code).toBe(0);

  const lines = await readLines(before);
  await before.close();
  const writers = [...new Set(lines.map(({ metadata }) => metadata.chain.writerId))].toSorted();
  const [first = "", second = ""] = writers;
  expect(writers).toHaveLength(5);
  await removeWriter(
    database,
    lines.flatMap(({ batchId, metadata }) => (metadata.chain.writerId === first ? [batchId] : [])),
  );
  const after = await start(database);
  expect(await readLines(after)).toHaveLength(
    lines.filter(({ metadata }) => metadata.chain.writerId !== first).length,
  );
  const found = await runCommand(["verify", after.url]);
  expect(found.code).toBe(1);
  expect(found.out).toContain(
    `writer ${first}: BROKEN at batch 1: its batches are missing from 1 on: writer `,
  );
  expect(found.out).toContain(`followed it, and names batch 3 as its last`);
  expect(found.out).toContain(`\nwriter ${second}: verified; `);
  const purged = await runCommand(["verify", after.url, "--without", first]);
  expect(purged.out).toMatch(/verified: .*4 writers\nnot proven: .*anything of 1 writer/);
  expect(purged.code).toBe(0);
});
