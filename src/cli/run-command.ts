import { toErrorName } from "../util/logger.ts";
import { toHint, UsageError, type Command } from "./parse-arguments.ts";
import { SpoolCommandError } from "./spool/arguments.ts";
import { openOutput, toPrintable } from "./spool/output.ts";

/** Writes a warning on the standard error. */
export function warn(message: string): void {
  process.stderr.write(`agent-monitor: ${toPrintable(message)}\n`);
}

/** Prints lines on the standard output as they come. @throws SpoolCommandError when it is closed. */
export async function printLines(lines: AsyncIterable<string>): Promise<void> {
  const output = await openOutput(undefined);
  for await (const line of lines) await output.write(Buffer.from(line));
  await output.close();
}

/** Does the work of a command, and returns its exit code. */
export type Work = (args: readonly string[]) => Promise<number> | number;

/** Describes a failure without its message, which may hold content; our own never does. */
export function describeFailure(subject: string, error: unknown): string {
  if (error instanceof SpoolCommandError) return error.message;
  return `${subject} failed (${toErrorName(error)})`;
}

/**
 * Does the work of a command; any failure but wrong usage is reported, and ends with an exit code.
 *
 * @param subject - Name of the command, for messages.
 * @param describe - Describes a failure for people; never by its content.
 * @throws UsageError
 */
export async function runWork(
  subject: string,
  exitCode: number,
  work: () => Promise<number> | number,
  describe = describeFailure,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    warn(describe(subject, error));
    return exitCode;
  }
}

/** A command of several commands. */
interface CommandGroup {
  readonly name: string;
  readonly help: string;
  readonly commands: Readonly<Record<string, Work>>;
  /** Exit code of a failure. */
  readonly failed: number;
  /** Describes a failure of a command. @throws UsageError for wrong usage. */
  readonly describe: typeof describeFailure;
}

/** Creates a command that runs the one that its first argument names. */
export function createGroup({ name, help, commands, failed, describe }: CommandGroup): Command {
  return {
    help,
    async run([given = "", ...args]) {
      const work = Object.hasOwn(commands, given) ? commands[given] : undefined;
      if (work) return runWork(given, failed, () => work(args), describe);
      const names = Object.keys(commands);
      const hint = toHint(given, names) || `: expected ${names.join(", ")}`;
      throw new UsageError(`${name} needs a command${hint}`);
    },
  };
}

/** Limit of problems that are reported one by one. */
const MAX_REPORTED = 20;

/** Collects problems of reading, and writes the first ones one by one. */
export function createProblems(write: (text: string) => void) {
  const first: string[] = [];
  const problems = {
    count: 0,
    first,
    report: (problem: string): void => {
      problems.count++;
      if (problems.count <= MAX_REPORTED) first.push(problem);
      if (problems.count <= MAX_REPORTED + 1)
        write(problems.count > MAX_REPORTED ? "and more" : problem);
    },
  };
  return problems;
}
