import { isWithin } from "../../instrumentation/known-clients.ts";
import type { InstalledPackage } from "./find-packages.ts";
import type { Finding } from "./finding.ts";

/** A package that is known for spans of model calls, and in some versions makes none that OpenTelemetry has. */
interface SilentPackage {
  readonly name: string;
  /** First version that makes none. */
  readonly from: string;
  readonly reason: string;
}

const NO_END = "999999999.0.0";
const SILENT: readonly SilentPackage[] = [
  {
    name: "@sentry/node",
    from: "11.0.0",
    reason: "it makes no OpenTelemetry spans any more, so that the bridge sees none of its calls",
  },
];

/** Names of the packages that are looked for. */
export const SILENT_PACKAGES: ReadonlySet<string> = new Set(SILENT.map(({ name }) => name));

/** Tells of packages whose spans the bridge would read, if they made any. */
export function checkSilent(packages: readonly InstalledPackage[]): Finding[] {
  return SILENT.flatMap(({ name, from, reason }) => {
    const found = packages.find(
      (each) => each.name === name && isWithin(each.version, [from, NO_END]),
    );
    if (!found) return [];
    const message = `${name} ${found.version}: ${reason}`;
    const advice = "let monitor.instrumentFetch() or agent-monitor/register see the calls";
    return [{ check: "silent", level: "warning", message, advice }];
  });
}
