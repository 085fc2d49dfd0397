#!/usr/bin/env node
import { COMMON_OPTIONS, type Command, UsageError, toHint } from "./cli/parse-arguments.ts";
import { VERSION } from "./version.ts";

/** Commands by name; each is one file, loaded when it is called. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import("./cli/dev.ts")).devCommand,
  platform: async () => (await import("./cli/dev.ts")).platformCommand,
  gateway: async () => (await import("./cli/gateway.ts")).gatewayCommand,
  review: async () => (await import("./cli/review.ts")).reviewCommand,
  tail: async () => (await import("./cli/tail.ts")).tailCommand,
  check: async () => (await import("./cli/check.ts")).checkCommand,
  judge: async () => (await import("./cli/judge.ts")).judgeCommand,
  policy: async () => (await import("./cli/policy.ts")).policyCommand,
  export: async () => (await import("./cli/export.ts")).exportCommand,
  verify: async () => (await import("./cli/verify.ts")).verifyCommand,
  report: async () => (await import("./cli/report.ts")).reportCommand,
  spool: async () => (await import("./cli/spool.ts")).spoolCommand,
  doctor: async () => (await import("./cli/doctor.ts")).doctorCommand,
};

const HELP = `Usage: agent-monitor <command> [options]

Commands:
  dev       run the local platform and its viewer
  platform  the same, as a service is called
  gateway   pass on what a platform or Kafka shall have, and keep nothing
  review    list, show and close what a platform's queue has
  tail      show what a platform receives as it comes
  check     evaluate conversations from a file with the rules
  judge     try a model as a judge of answers before it is switched on
  policy    look at a pack of rules before it is switched on
  export    write conversations of a platform, or decided answers as cases for check
  verify    verify that no batch was changed, removed or added
  report    print the supervision report of a local platform
  spool     look at a spool directory, send dead letters again
  doctor    say what keeps a project's agents from being monitored

Options:
  --help      show this, or the options of a command
  --version   show the version
`;

const USAGE_EXIT_CODE = 2;

function describeUnknownCommand(name: string): string {
  const names = Object.keys(COMMANDS);
  const isOption = name.startsWith("-");
  const hint = isOption ? toHint(name, COMMON_OPTIONS, "--") : toHint(name, names);
  const kind = isOption ? "option" : "command";
  return `unknown ${kind} ${JSON.stringify(name)}${hint || `: expected ${names.join(", ")}`}`;
}

async function run(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || rest.includes("--version")) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(HELP);
    return name === undefined ? USAGE_EXIT_CODE : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw new UsageError(describeUnknownCommand(name));
  const command = await load();
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
