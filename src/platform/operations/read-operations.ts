import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { VERSION } from "../../version.ts";
import type { PlatformContext } from "../platform-context.ts";
import { DATABASE_SIZE, readNumber } from "../store/query.ts";
import { countReviews, findLastAudit } from "../store/review-counts.ts";
import { SCHEMA_VERSION } from "../store/layouts.ts";
import {
  countWriters,
  listLosses,
  listOrganizations,
  listRejections,
  listWriters,
  readIntake,
} from "./intake-store.ts";
import { isPostgres } from "../store/postgres/postgres-address.ts";
import { followSteps } from "../turns.ts";

/** Returns the bytes that are free where the database lies; `null` for one in memory or of a server, and where nobody says. */
async function findFreeBytes(file: string): Promise<number | null> {
  if (file === ":memory:" || isPostgres(file)) return null;
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Everything that is read of the database alone. */
function* readStored({ store: { database } }: PlatformContext, now: number) {
  const last = yield* findLastAudit(database);
  const { states, overdue, decisions } = yield* countReviews(database, now);
  return {
    intake: yield* readIntake(database, now),
    rejections: yield* listRejections(database),
    losses: yield* listLosses(database),
    writers: { ...(yield* countWriters(database)), newest: yield* listWriters(database) },
    organizations: yield* listOrganizations(database, now),
    audit: { records: last?.sequence ?? 0, lastHash: last?.hash ?? null, lastAt: last?.at ?? null },
    review: { states, overdue, decisions },
  };
}

/** Sums up how the platform does. */
export async function readOperations(platform: PlatformContext) {
  const { options, store, bodies, requests, startedAt, faults } = platform;
  const now = options.clock.now();
  const { used, limit, refused } = bodies;
  const bytes = await followSteps(readNumber(store.database, DATABASE_SIZE));
  return {
    now,
    startedAt,
    version: VERSION,
    node: process.version,
    layout: SCHEMA_VERSION,
    database: { bytes, freeBytes: await findFreeBytes(options.database) },
    waitingWrites: store.waitingWrites,
    bodies: { bytes: used, limit, refused },
    totals: await followSteps(store.stats()),
    requests: [...requests.values()],
    ...(await followSteps(readStored(platform, now))),
    // `null` where faults can't be set.
    faults: faults ? faults.list() : null,
  };
}

/** What the page of operations shows. */
export type Operations = Awaited<ReturnType<typeof readOperations>>;
