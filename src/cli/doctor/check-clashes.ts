import { isWithin } from "../../instrumentation/known-clients.ts";
import type { Finding, Level } from "./finding.ts";
import type { InstalledPackage } from "./find-packages.ts";

/** An instrumentation that harms a client, as runs of both have shown. */
interface Clash {
  readonly instrumentation: string;
  readonly client: string;
  /** First version of the client that is harmed. @defaultValue all */
  readonly from?: string;
  /** First version of the client that is no longer harmed. @defaultValue none */
  readonly below?: string;
  readonly level: Level;
  readonly harm: string;
}

const NO_END = "999999999.0.0";
const CUT = "a stream that the server cuts ends the process, and refused calls leave no span";
const CLASHES: readonly Clash[] = [
  {
    instrumentation: "@traceloop/instrumentation-anthropic",
    client: "@anthropic-ai/sdk",
    from: "1.0.0",
    level: "error",
    harm: "importing the client throws",
  },
  {
    instrumentation: "@arizeai/openinference-instrumentation-openai",
    client: "openai",
    level: "warning",
    harm: CUT,
  },
  {
    instrumentation: "@arizeai/openinference-instrumentation-anthropic",
    client: "@anthropic-ai/sdk",
    level: "warning",
    harm: CUT,
  },
  {
    instrumentation: "@opentelemetry/instrumentation-openai",
    client: "openai",
    level: "warning",
    // Version 7 is not patched.
    below: "7.0.0",
    harm: "parse() and asResponse() fail, and a stream that breaks off leaves no span",
  },
];

/** Names of the instrumentations that are looked for. */
export const CLASHING_PACKAGES: ReadonlySet<string> = new Set(
  CLASHES.map(({ instrumentation }) => instrumentation),
);

/** Reports instrumentations that harm the clients that they are installed with. */
export function checkClashes(packages: readonly InstalledPackage[]): Finding[] {
  return CLASHES.flatMap(
    ({ instrumentation, client, from = "0.0.0", below = NO_END, level, harm }) => {
      const culprit = packages.find(({ name }) => name === instrumentation);
      const victim = packages.find(
        ({ name, version }) => name === client && isWithin(version, [from, below]),
      );
      if (!culprit || !victim) return [];
      const message = `${instrumentation} ${culprit.version} with ${client} ${victim.version}: ${harm}`;
      const advice =
        "agent-monitor does without it: if it is registered, try what it does on errors";
      return [{ check: "clash", level, message, advice }];
    },
  );
}
