import {
  describeClient,
  reportClient,
  type ClientVerdict,
} from "../../instrumentation/known-clients.ts";
import type { Finding, Level } from "./finding.ts";
import type { InstalledPackage } from "./find-packages.ts";

const LEVELS: Readonly<Record<ClientVerdict, Level>> = {
  tested: "ok",
  untested: "warning",
  uncovered: "warning",
};

/** Tells of every version of every client how it is covered. */
export function checkClients(packages: readonly InstalledPackage[]): Finding[] {
  const told = new Map<string, Finding>();
  for (const { name, version } of packages) {
    const report = reportClient(name, version);
    if (!report) continue;
    const message = describeClient(report);
    told.set(message, { check: "client", level: LEVELS[report.verdict], message });
  }
  if (told.size > 0) return [...told.values()];
  return [{ check: "client", level: "note", message: "no known client is installed" }];
}
