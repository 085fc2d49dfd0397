import { PackError } from "../packs.ts";
import { UsageError } from "./parse-arguments.ts";
import { diffPolicies } from "./policy/diff.ts";
import { explainPolicy } from "./policy/explain.ts";
import { testPolicy } from "./policy/test.ts";
import { createGroup, describeFailure } from "./run-command.ts";

const HELP = `Usage: agent-monitor policy <command> [options]

Looks at a bank's own pack of rules before it is switched on.

Commands:
  test <pack> --on <file.jsonl|url|->  run its cases, and say what it finds, and what comes and goes, in conversations
  diff <pack> <pack>                   say what another version changes
  explain <id> [--pack <pack>]         show a rule or a pattern: law, version, phrases one a line, cases

Options:
  --on <file.jsonl|url|->  conversations as "agent-monitor check" reads them, or all those of a local platform (test)
  --api-key <key>          key of the platform (test; default: AGENT_MONITOR_API_KEY)
  --organization <id>      conversations of this organization only (test, platform)
  --active <pack>          a pack that is switched on already, beside the built-in rules (test, repeatable)
  --pack <pack>            where to look for the rule, before the built-in ones (explain)
  --json                   print the whole report as JSON
  --help                   show this
  --version                show the version

Examples:
  agent-monitor policy test policy.yaml --on transcripts.jsonl
  agent-monitor policy explain bsa-aml-structuring-advice

Texts are shown as masked excerpts only. Exit code: 0 the cases hold, or nothing differs; 1 a case fails, or something
differs; 2 wrong usage, a pack that is refused, or a line could not be read or a rule failed.
`;

/** Inspects and tests packs of rules. */
export const policyCommand = createGroup({
  name: "policy",
  help: HELP,
  commands: { test: testPolicy, diff: diffPolicies, explain: explainPolicy },
  failed: 2,
  describe(command, error) {
    if (error instanceof PackError) throw new UsageError(error.message);
    return describeFailure(`policy ${command}`, error);
  },
});
