import { describe, expect, it } from "vitest";
import { startSink } from "../helpers/sink.ts";
import { listSpool, runSpool, writeEvents } from "../helpers/spool-cli.ts";
import { elsewhere, leaveOwner, makeDirectory } from "../helpers/spool.ts";
import { leaveSpool, listWriterNames, NOWHERE, startService } from "../helpers/spools.ts";
import { runCommand } from "../helpers/command.ts";

describe("a living process", () => {
  it("is not disturbed while it tracks at full speed", async () => {
    const sink = await startSink();
    const directory = makeDirectory();
    const { child, result } = await startService(directory, { MODE: "stream", ENDPOINT: sink.url });
    for (let round = 0; round < 3; round++) {
      const [listed, exported, verified] = await Promise.all([
        listSpool(directory),
        writeEvents(directory),
        runCommand(["verify", directory]),
      ]);
      expect(listed).toMatchObject({
        code: 0,
        writers: [{ owner: "alive", pid: child.pid, missing: 0, damagedBytes: 0 }],
      });
      expect(exported).toMatchObject({ code: 0, err: "" });
      const sequences = exported.out
        .trimEnd()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).sequence as number);
      expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
      expect(verified, verified.out).toMatchObject({ code: 0, err: "" });
    }
    child.kill("SIGTERM");
    const { stdout } = await result;
    const { tracked, ...stats } = JSON.parse(stdout.slice(stdout.indexOf("{")));
    expect(stats).toEqual({ acked: tracked, pending: 0, dead: 0, dropped: 0 });
    await sink.close();
  });

  it("can't be adopted; another machine's can, once somebody says so", async () => {
    const directory = makeDirectory();
    await startService(directory, { MODE: "hold", ENDPOINT: NOWHERE });
    const [alive = ""] = listWriterNames(directory);
    const refused = await runSpool("adopt", directory, "--writer", alive, "--yes");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/its owner is alive here/);
    expect(await runSpool("adopt", directory, "--all", "--yes")).toMatchObject({
      code: 0,
      out: "there is nothing to free\n",
    });
    expect(listWriterNames(directory)).toEqual([alive]);

    const moved = makeDirectory();
    await leaveSpool(moved);
    const [writerId = ""] = listWriterNames(moved);
    leaveOwner(moved, writerId, elsewhere);
    expect(await listSpool(moved)).toMatchObject({
      writers: [{ owner: "elsewhere", pending: 25 }],
    });
    expect(await runSpool("adopt", moved)).toMatchObject({ code: 2 });
    const asked = await runSpool("adopt", moved, "--all");
    expect(asked).toMatchObject({ code: 1, out: "" });
    expect(asked.err).toMatch(/1 writer would be freed:[^]*must not run any more[^]*--yes/);
    expect(listWriterNames(moved)).toEqual([writerId]);
    const done = await runSpool("adopt", moved, "--writer", writerId, "--yes");
    expect(done).toMatchObject({
      code: 0,
      out: `writer ${writerId} is free now: the next monitor adopts it\n`,
    });
    const again = await runSpool("adopt", moved, "--all", "--yes", "--json");
    expect(JSON.parse(again.out)).toEqual({ freed: [] });
    expect(await listSpool(moved)).toMatchObject({
      writers: [{ writerId, owner: "dead", pending: 25 }],
      foreign: [],
    });
    expect((await runSpool("adopt", moved, "--writer", "x", "--yes")).err).toMatch(
      /there is no writer "x"/,
    );
  });
});
