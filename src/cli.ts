#!/usr/bin/env node
import { type Command, UsageError, toHint } from "./cli/parse-arguments.ts";
import { VERSION } from "./version.ts";

/** Commands by name; each is one file, loaded when it is called. */
const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  dev: {
    summary: "run the local platform and its viewer",
    load: async () => (await import("./cli/dev.ts")).devCommand,
  },
  check: {
    summary: "evaluate conversations from a file with the rules",
    load: async () => (await import("./cli/check.ts")).checkCommand,
  },
  judge: {
    summary: "try a model as a judge of answers before it is switched on",
    load: async () => (await import("./cli/judge.ts")).judgeCommand,
  },
  policy: {
    summary: "look at a pack of rules before it is switched on",
    load: async () => (await import("./cli/policy.ts")).policyCommand,
  },
  verify: {
    summary: "verify that no batch was changed, removed or added",
    load: async () => (await import("./cli/verify.ts")).verifyCommand,
  },
  spool: {
    summary: "look at a spool directory, send dead letters again",
    load: async () => (await import("./cli/spool.ts")).spoolCommand,
  },
  doctor: {
    summary: "say what keeps a project's agents from being monitored",
    load: async () => (await import("./cli/doctor.ts")).doctorCommand,
  },
};

const USAGE_EXIT_CODE = 2;

function formatHelp(): string {
  const commands = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(10)}${summary}`,
  );
  return `Usage: agent-monitor <command> [options]

Commands:
${commands.join("\n")}

Options:
  --help      show this, or the options of a command
  --version   show the version
`;
}

function describeUnknownCommand(name: string): string {
  const names = Object.keys(COMMANDS);
  const hint = name.startsWith("-") ? toHint(name, ["help", "version"], "--") : toHint(name, names);
  const kind = name.startsWith("-") ? "option" : "command";
  return `unknown ${kind} ${JSON.stringify(name)}${hint === "" ? `: expected ${names.join(", ")}` : hint}`;
}

async function run(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || rest.includes("--version")) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(formatHelp());
    return name === undefined ? USAGE_EXIT_CODE : 0;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) throw new UsageError(describeUnknownCommand(name));
  const command = await entry.load();
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(command.help);
    return 0;
  }
  return command.run(rest);
}

function fail(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`agent-monitor: ${message}\n`);
  if (!(error instanceof UsageError)) return 1;
  process.stderr.write(`Run "agent-monitor --help" for usage.\n`);
  return USAGE_EXIT_CODE;
}

void run(process.argv.slice(2))
  .catch(fail)
  .then((exitCode) => {
    process.exitCode = exitCode;
  });
