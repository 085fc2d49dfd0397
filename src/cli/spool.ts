import { toErrorCode } from "../delivery/spool/file-system.ts";
import { type Command, UsageError, toHint } from "./parse-arguments.ts";
import type { Work } from "./run-command.ts";
import { SpoolCommandError } from "./spool/arguments.ts";

const HELP = `Usage: agent-monitor spool <command> <directory> [options]

Looks at a spool directory and mends it. Processes may write there meanwhile: reading takes nothing from them.

Commands:
  ls <dir>           what waits: a line per writer, dead letters by reason; never content
                     with --writer, --event or --dead: single events and dead letters
  redrive <dir>      sends dead letters again: the next monitor that looks takes them, a running one within 30 s
                     with --to-file: writes events as JSON Lines instead, exactly as they were spooled (customer data)
  adopt <dir>        frees writers whose owner is on another machine, or unknown, for the next monitor

Options of ls and redrive:
  --key-file <file>  key of an encrypted spool (default: AGENT_MONITOR_SPOOL_KEY)

Options of ls:
  --writer <id>      the waiting events of this writer (repeatable)
  --event <id>       this event, waiting or dead (repeatable)
  --dead             dead letters only
  --limit <n>        at most so many events and letters (default 100)
  --content          print the whole events: THIS IS CUSTOMER DATA
Options of redrive (one of the first four, or --to-file, is needed):
  --reason <reason>  letters with this reason
  --event <id>       this event (repeatable)
  --older-than <ms>  letters given up so long ago
  --all              every letter
  --writer <id>      of this writer only (repeatable)
  --dry-run          only tell how many
  --to-file <file>   send nothing; write the events of these letters, or without any of the first four the waiting events,
                     into a new file that only you can read; never overwrites; - for the standard output
Options of adopt (--writer or --all is needed):
  --writer <id>      this writer (repeatable)
  --all              every writer whose owner can't be seen from here
  --yes              really; without it, only tell what would be done

Options of all:
  --json             print JSON; not for events, which are JSON Lines
  --help             show this
  --version          show the version

Examples:
  agent-monitor spool ls var/spool --dead
  agent-monitor spool redrive var/spool --reason unknown_agent --dry-run

Exit code: 0 done, 1 failed or refused, 2 wrong usage, 3 something could not be read.
`;

/** Commands by name; each is one file, loaded when it is called. */
const COMMANDS: Readonly<Record<string, Work>> = {
  ls: async (args) => (await import("./spool/ls.ts")).listSpool(args),
  redrive: async (args) => (await import("./spool/redrive.ts")).redriveSpool(args),
  adopt: async (args) => (await import("./spool/adopt.ts")).adoptSpool(args),
};

/** Commands that replace removed ones. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  show: "ls <dir> with --writer <id>, --event <id> or --dead",
  export: "redrive <dir> --to-file <file>, with --all for dead letters",
};

/** Inspects a spool directory, and sends its content again. */
export const spoolCommand: Command = {
  help: HELP,
  async run([name, ...rest]) {
    const work = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (name !== undefined && Object.hasOwn(SUCCESSORS, name))
      throw new UsageError(`spool ${name} is now: agent-monitor spool ${SUCCESSORS[name]}`);
    if (!work) {
      const names = Object.keys(COMMANDS);
      const problem = name === undefined ? "no command" : `unknown command ${JSON.stringify(name)}`;
      const hint = toHint(name ?? "", names) || `: expected ${names.join(", ")}`;
      throw new UsageError(`spool: ${problem}${hint}`);
    }
    try {
      return await work(rest);
    } catch (error) {
      if (error instanceof UsageError || error instanceof SpoolCommandError) throw error;
      // A message of the system may contain anything, a code only the kind of failure.
      throw new SpoolCommandError(`spool ${name} failed (${toErrorCode(error)})`);
    }
  },
};
