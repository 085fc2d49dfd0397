import type { Generated } from "kysely";

// What came of OpenTelemetry data, one row for what was stored together, and how far events have been made of it. `stored_at`
// never gets smaller. Data from before these tables has no row, and no events are made of it.
export const TELEMETRY_ARRIVAL_TABLES = `
  CREATE TABLE telemetry_arrival (
    seq INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    source TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    odd_values TEXT,
    stored_at INTEGER NOT NULL
  );
  CREATE INDEX telemetry_arrival_of_source ON telemetry_arrival (source, seq);
  CREATE TABLE telemetry_position (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    held_until INTEGER NOT NULL,
    wanted_until INTEGER NOT NULL,
    clock INTEGER NOT NULL,
    read_clock INTEGER NOT NULL,
    read_seq INTEGER NOT NULL,
    done_seq INTEGER NOT NULL
  );
`;

/** Table that items of telemetry are stored in. */
export type TelemetryTable = "log_record" | "span";

/** Rows of these tables. */
export interface TelemetryArrivalTables {
  readonly telemetry_arrival: {
    seq: Generated<number>;
    organization_id: string;
    /** Table of its items, which have neighbouring numbers. */
    source: TelemetryTable;
    first_seq: number;
    last_seq: number;
    /** Bytes of their JSON. */
    bytes: number;
    /** Values that JSON has not, by the numbers of the items, as JSON; `null` for none. */
    odd_values: string | null;
    stored_at: number;
  };
  /** One row. */
  readonly telemetry_position: {
    id: number;
    /** Who makes events; the others have the database until `held_until` to wait for. */
    owner: string;
    held_until: number;
    /** Another one would go on at once until then. */
    wanted_until: number;
    /** Nothing arrives before this time any more. */
    clock: number;
    /** All events are stored that are made up to this arrival and this time. */
    read_seq: number;
    read_clock: number;
    /** Nothing up to this arrival waits for more of its trace. */
    done_seq: number;
  };
}
