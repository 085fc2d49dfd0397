import { toErrorCode } from "../delivery/spool/file-system.ts";
import { UsageError, type Command } from "./command.ts";
import { toHint } from "./parse-arguments.ts";
import { SpoolCommandError } from "./spool/arguments.ts";

const HELP = `Usage: agent-monitor spool <command> <directory> [options]

Looks at a spool directory and mends it. Processes may write there meanwhile: reading takes nothing from them.

Commands:
  ls <dir>           what waits: a line per writer, dead letters by reason; never content
  show <dir> [id]    single events and dead letters; the id is that of a writer, a dead letter or an event
  export <dir>       the waiting events as JSON Lines, exactly as they were spooled (customer data)
  redrive <dir>      sends dead letters again: the next monitor that looks takes them, a running one within 30 s
  adopt <dir>        frees writers whose owner is on another machine, or unknown, for the next monitor

Options of ls, show, export, redrive:
  --key-file <file>  key of an encrypted spool (default: AGENT_MONITOR_SPOOL_KEY)

Options of ls and show:
  --json             print JSON
Options of show:
  --limit <n>        at most so many events and letters (default 100)
  --content          print the whole events: THIS IS CUSTOMER DATA
Options of export:
  --dead             the dead letters' events instead
  --writer <id>      of this writer only
  --out <file>       into a new file that only you can read; never overwrites (default: standard output)
Options of redrive (one of the first four is needed):
  --reason <reason>  letters with this reason
  --event <id>       this event (repeatable)
  --older-than <ms>  letters given up so long ago
  --all              every letter
  --dry-run          only tell how many
Options of adopt (--writer or --all is needed):
  --writer <id>      this writer (repeatable)
  --all              every writer whose owner can't be seen from here
  --yes              really; without it, only tell what would be done

Exit code: 0 done, 1 failed or refused, 2 wrong usage, 3 something could not be read.
`;

type Run = (args: readonly string[]) => Promise<number>;

/** Commands by name; each is one file, loaded when it is called. */
const COMMANDS: Readonly<Record<string, () => Promise<Run>>> = {
  ls: async () => (await import("./spool/ls.ts")).listSpool,
  show: async () => (await import("./spool/show.ts")).showSpool,
  export: async () => (await import("./spool/export.ts")).exportSpool,
  redrive: async () => (await import("./spool/redrive.ts")).redriveSpool,
  adopt: async () => (await import("./spool/adopt.ts")).adoptSpool,
};

/** Looks at a spool directory, and sends again what is in it. */
export const spoolCommand: Command = {
  help: HELP,
  async run([name, ...rest]) {
    const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!load) {
      const names = Object.keys(COMMANDS);
      const problem = name === undefined ? "no command" : `unknown command ${JSON.stringify(name)}`;
      const hint = name === undefined ? "" : toHint(name, names);
      throw new UsageError(
        `spool: ${problem}${hint === "" ? `: expected ${names.join(", ")}` : hint}`,
      );
    }
    const run = await load();
    try {
      return await run(rest);
    } catch (error) {
      if (error instanceof UsageError || error instanceof SpoolCommandError) throw error;
      // A message of the system may hold anything, a code only what went wrong.
      throw new SpoolCommandError(`spool ${name} failed (${toErrorCode(error)})`);
    }
  },
};
