import type { WrittenJson } from "../otlp/odd-values.ts";
import type { Steps } from "../turns.ts";
import type { Arrival, End } from "./bounded-rows.ts";
import type { Transaction } from "./sql-database.ts";
import { addArrival, type OddValues } from "./telemetry-arrivals.ts";
import type { TelemetryTable } from "./telemetry-tables.ts";

/** Creates what writes down which rows are appended to a table, for events to be made of them. */
export function createArrivalNote(
  source: TelemetryTable,
  { seq, offset }: End,
  { organizationId, storedAt }: Arrival,
) {
  const oddValues: OddValues[number][] = [];
  return {
    /** Takes note of a row that is appended. */
    add(row: Pick<WrittenJson, "odd"> & Pick<End, "seq">): void {
      if (row.odd) oddValues.push([row.seq, row.odd]);
    },
    /** Writes it down. In the transaction of the rows. */
    *write(database: Transaction, end: End): Steps<void> {
      if (end.seq === seq) return;
      yield* addArrival(database, {
        organizationId,
        source,
        firstSeq: seq + 1,
        lastSeq: end.seq,
        bytes: end.offset - offset,
        oddValues,
        storedAt,
      });
    },
  };
}
