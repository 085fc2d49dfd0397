import { createServer } from "node:http";
import { closeServer, listen, toListener, toUrl } from "../http-server.ts";
import { type ReadRecord, startKafkaConsumer } from "../kafka/kafka-consumer.ts";
import { toTopics } from "../kafka/kafka-record.ts";
import { requireTopics } from "../kafka/verify-topics.ts";
import { type ArchiveStats, createArchiveApp } from "./archive-app.ts";
import { archiveRecords } from "./archive-records.ts";
import {
  type ArchiveOptions,
  type ResolvedArchiveOptions,
  resolveArchiveOptions,
} from "./archive-options.ts";
import { openDirectoryStore } from "./directory-store.ts";
import { type ObjectStore, ObjectStoreError } from "./object-store.ts";
import { createS3Store } from "./s3-store.ts";

/** A running archive. */
export interface Archive {
  /** Base URL of `/healthz`, `/readyz` and `/metrics`; absent without a port. */
  readonly url: string | undefined;
  /** Returns what was archived since it started. */
  stats(): ArchiveStats;
  /** Completes what is under way, and leaves the group. */
  close(): Promise<void>;
}

/** Begins messages of errors. */
const OWNER = "archive";

function openStore({ target, clock }: ResolvedArchiveOptions): Promise<ObjectStore> {
  if (target.kind === "directory") return openDirectoryStore(target.path, clock);
  return Promise.resolve(createS3Store(target.url, target.access, clock));
}

/** Creates what takes records of the consumer, and counts them. */
function createTake(store: ObjectStore, { logger }: ResolvedArchiveOptions) {
  const counts = { records: 0, skipped: 0, bytes: 0 };
  const take = async (records: readonly ReadRecord[]): Promise<void> => {
    try {
      for (const line of await archiveRecords(store, records)) {
        counts.records++;
        if ("skipped" in line) counts.skipped++;
        else counts.bytes += line.bytes;
      }
    } catch (error) {
      if (error instanceof ObjectStoreError) logger.warn(`${OWNER}: ${error.message}`);
      throw error;
    }
  };
  return { take, counts };
}

type Archiving = Omit<Archive, "url"> & { findLag(): Promise<number | undefined> };

async function startArchiving(options: ResolvedArchiveOptions): Promise<Archiving> {
  const { source, withOtlp, logger, clock } = options;
  const { address, access, group } = source;
  const { deliveries, telemetry } = toTopics(address.topic);
  const topics = withOtlp ? [deliveries, telemetry] : [deliveries];
  await requireTopics({ owner: OWNER, address, access, topics });
  const { take, counts } = createTake(await openStore(options), options);
  const brokers = { owner: OWNER, address, access, group, topics };
  const consumer = await startKafkaConsumer({ ...brokers, take, logger, clock });
  return {
    stats: () => ({ ...counts, isConnected: consumer.isConnected }),
    findLag: () => consumer.findLag(),
    close: () => consumer.close(),
  };
}

/**
 * Starts an archive: it takes batches and profiles that gateways have written to Kafka, writes the bytes of each as they came
 * as an object to a directory or an S3-compatible store, with its digest, and acknowledges a record once its object is there for
 * good. An object that is there is not written again.
 *
 * @throws Error for options that make no sense, a directory that can't be used, and brokers that refuse it or lack its topics.
 */
export async function startArchive(given: ArchiveOptions): Promise<Archive> {
  const options = resolveArchiveOptions(given);
  const { port: wanted, host, clock } = options;
  const archiving = await startArchiving(options);
  if (wanted === undefined) return { ...archiving, url: undefined };
  const server = createServer(toListener(createArchiveApp(options, archiving)));
  try {
    const port = await listen(server, { host, port: wanted, canFallBack: false }, OWNER);
    const close = async (): Promise<void> => {
      await closeServer(server, clock);
      await archiving.close();
    };
    return { ...archiving, url: toUrl(host, port), close };
  } catch (error) {
    await archiving.close();
    throw error;
  }
}
