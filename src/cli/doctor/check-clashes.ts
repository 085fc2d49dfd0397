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

/** A package known for spans of model calls. */
const SENTRY = "@sentry/node";
/** First version that creates none in OpenTelemetry. */
const SILENT_SENTRY = "11.0.0";

/** Names of the packages that are looked for, beside the clients. */
export const HARMFUL_PACKAGES: ReadonlySet<string> = new Set([
  ...CLASHES.map(({ instrumentation }) => instrumentation),
  SENTRY,
]);

type Packages = readonly InstalledPackage[];

function findVersion(
  packages: Packages,
  wanted: string,
  from = "0.0.0",
  below = NO_END,
): string | undefined {
  const isWanted = ({ name, version }: InstalledPackage): boolean =>
    name === wanted && isWithin(version, [from, below]);
  return packages.find(isWanted)?.version;
}

/** Reports instrumentations that harm the clients that they are installed with. */
export function checkClashes(packages: Packages): Finding[] {
  return CLASHES.flatMap(({ instrumentation, client, from, below, level, harm }) => {
    const culprit = packages.find(({ name }) => name === instrumentation);
    const victim = findVersion(packages, client, from, below);
    if (!culprit || victim === undefined) return [];
    const message = `${instrumentation} ${culprit.version} with ${client} ${victim}: ${harm}`;
    const advice = "agent-monitor does without it: if it is registered, try what it does on errors";
    return [{ check: "clash", level, message, advice }];
  });
}

/** Reports packages whose spans the bridge would read, if they created any. */
export function checkSilent(packages: Packages): Finding[] {
  const version = findVersion(packages, SENTRY, SILENT_SENTRY);
  if (version === undefined) return [];
  const reason =
    "it makes no OpenTelemetry spans any more, so that the bridge sees none of its calls";
  const message = `${SENTRY} ${version}: ${reason}`;
  const advice = "let monitor.instrumentFetch() or agent-monitor/register see the calls";
  return [{ check: "silent", level: "warning", message, advice }];
}
