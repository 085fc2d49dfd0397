import { readFileSync } from "node:fs";

/** What a batch of a size takes, as `test/cluster/measure-parts.ts` has measured it. */
export interface Measured {
  /** Events of a batch. */
  readonly size: number;
  /** CPU of an event in microseconds, by part. */
  readonly micros: {
    readonly onePlatform: number;
    readonly gateway: number;
    /** All three together. */
    readonly brokers: number;
    readonly consumer: number;
    readonly postgres: number;
  };
  /** How often a batch waits for PostgreSQL, there and back. */
  readonly roundTrips: number;
  /** Bytes of a batch, compressed. */
  readonly bytes: number;
  /** Deciles of the time in which a gateway answers behind Kafka, one request at a time. */
  readonly ackMillis: readonly number[];
  /** Deciles of the time in which a platform stores a batch in PostgreSQL, one at a time. */
  readonly writeMillis: readonly number[];
}

interface Measurement {
  readonly machine: { readonly cores: number; readonly node: string; readonly loadBefore: number };
  readonly sizes: readonly Measured[];
}

/** Reads what was measured. */
export const readMeasurement = (): Measurement =>
  JSON.parse(readFileSync(new URL("measured.json", import.meta.url), "utf8")) as Measurement;

/** Share of its time that a part may work: what is above it waits for long. */
export const MAX_LOAD = 0.6;
/** Of a network within a data centre: from a consumer to PostgreSQL and back, and of a disk until it has a commit. */
export const ROUND_TRIP_MILLIS = 0.2;
export const COMMIT_MILLIS = 1;

/** Time for which a batch holds the lock of the writer: the work on it on both sides, the ways between them, and the commit. */
export function toLockedMillis({ size, micros, roundTrips }: Measured): number {
  const { consumer, gateway, postgres } = micros;
  // A consumer checks a batch as a gateway does, before it waits for the lock.
  const work = ((consumer - gateway + postgres) * size) / 1000;
  return work + roundTrips * ROUND_TRIP_MILLIS + COMMIT_MILLIS;
}

/** How many of each part a rate needs. */
export interface Plan {
  readonly gateways: number;
  readonly consumers: number;
  readonly databases: number;
  readonly brokerCores: number;
  readonly postgresCores: number;
}

/** Returns how many of each part a rate needs, in events a second; two of each at least, but for databases. */
export function planParts(rate: number, measured: Measured): Plan {
  const { micros, size } = measured;
  const toCores = (microsOfEvent: number): number => (rate * microsOfEvent) / 1e6 / MAX_LOAD;
  const databases = Math.ceil((rate * toLockedMillis(measured)) / 1000 / size / MAX_LOAD);
  return {
    gateways: Math.max(2, Math.ceil(toCores(micros.gateway))),
    consumers: Math.max(2, databases, Math.ceil(toCores(micros.consumer))),
    databases,
    brokerCores: Math.ceil(toCores(micros.brokers)),
    postgresCores: Math.ceil(toCores(micros.postgres)),
  };
}
