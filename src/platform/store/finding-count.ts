import { toBucket, type Width, WIDTHS } from "../insight/period.ts";
import { createStatement, db } from "./query.ts";
import type { Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** A finding as it is counted. */
interface CountedFinding {
  readonly at: number;
  readonly organizationId: string;
  readonly agentId: string;
  readonly agentVersion: string;
  readonly environment: string;
  readonly rule: string;
  readonly category: string;
  readonly severity: number;
}

const COUNT = createStatement((values: CountedFinding & { readonly width: Width }) =>
  db
    .insertInto("finding_count")
    .values({
      width: values.width,
      at: values.at,
      organization_id: values.organizationId,
      agent_id: values.agentId,
      agent_version: values.agentVersion,
      environment: values.environment,
      rule: values.rule,
      category: values.category,
      severity: values.severity,
      findings: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns([
          "width",
          "at",
          "agent_id",
          "agent_version",
          "environment",
          "rule",
          "category",
          "severity",
          "organization_id",
        ])
        .doUpdateSet((eb) => ({ findings: eb("finding_count.findings", "+", eb.lit(1)) })),
    ),
);

/** Counts a finding that was stored. In its transaction. */
export function* countFinding(database: Transaction, finding: CountedFinding): Steps<void> {
  for (const width of WIDTHS)
    yield* COUNT.send(database, { ...finding, width, at: toBucket(finding.at, width) });
}
