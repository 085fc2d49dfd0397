import { expect, it } from "vitest";
import { runCommand } from "../helpers/command.ts";

const WIDTH = 132;
const { out: overview } = await runCommand(["--help"]);
const [, listed = ""] = /Commands:\n([\s\S]*?)\n\n/.exec(overview) ?? [];
const COMMANDS = Array.from(listed.matchAll(/^ {2}(\w+) /gm), ([, name = ""]) => name);

it("lists every command", () => {
  expect(COMMANDS).toEqual([
    "dev",
    "platform",
    "gateway",
    "review",
    "tail",
    "check",
    "judge",
    "policy",
    "export",
    "verify",
    "report",
    "spool",
    "doctor",
  ]);
});

it.each(COMMANDS)("%s says how it is used, by examples, with its exit codes", async (name) => {
  const { code, out, err } = await runCommand([name, "--help"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.startsWith(`Usage: agent-monitor ${name} `)).toBe(true);
  expect(out).toMatch(/^Options/m);
  expect(out).toMatch(/^ {2}--help +show this$/m);
  expect(out).toMatch(new RegExp(String.raw`^Examples:\n  agent-monitor ${name}`, "m"));
  expect(out).toMatch(/Exit code: 0 /);
  expect(out.split("\n").filter((line) => line.length > WIDTH)).toEqual([]);
});

/** They serve until they are ended, and have nothing to print but lines. */
const SERVICES = ["dev", "platform", "gateway"];

it.each(COMMANDS.filter((name) => !SERVICES.includes(name)))(
  "%s has its output as JSON",
  async (name) => {
    expect((await runCommand([name, "--help"])).out).toContain("--json");
  },
);

it.each(COMMANDS)("%s says what a misspelt option may mean", async (name) => {
  const groups: Readonly<Record<string, readonly string[]>> = {
    review: ["ls"],
    judge: ["import"],
    policy: ["diff"],
    spool: ["ls", "directory"],
    verify: ["file"],
    check: ["file"],
  };
  const { code, err } = await runCommand([name, ...(groups[name] ?? []), "--hlep"]);
  expect(err).toMatch(/unknown option --hlep: did you mean --help\?/);
  expect(code).toBe(2);
});
