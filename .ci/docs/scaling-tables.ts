import { readFileSync } from "node:fs";
import { toTable } from "./markdown.ts";
import {
  COMMIT_MILLIS,
  MAX_LOAD,
  type Measured,
  planParts,
  readMeasurement,
  ROUND_TRIP_MILLIS,
  toLockedMillis,
} from "./scaling/capacity.ts";
import { simulateQueues, type Station } from "./scaling/simulate-queues.ts";

const RATES = [1000, 10_000, 100_000];
const JOBS = 30_000;
const SEED = 23;
/** Share of a gateway's CPU at which one is hardly enough. */
const ALMOST_ALL = 0.9;
const ANSWERED = "answered, ms, median / 99 %";
/** What a gateway sends to brokers in one request, at most: the bound of `src/platform/gateway/kafka-destination.ts`. */
const MAX_REQUEST_BYTES = 900_000;

const formatCount = (count: number): string => Math.round(count).toLocaleString("en-US");
const formatMillis = (millis: number): string =>
  millis < 10 ? millis.toFixed(1) : formatCount(millis);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Spreads a mean as measured times are spread. */
const spread = (times: readonly number[], millis: number): number[] =>
  times.map((time) => (time / mean(times)) * millis);

/** Returns the time that a share of all are below. */
const quantile = (sorted: readonly number[] = [], share: number): number =>
  sorted[Math.floor(share * sorted.length)] ?? 0;

const PARTS = [
  ["onePlatform", "one process over SQLite: all there is"],
  ["gateway", "gateway, to Kafka"],
  ["brokers", "three brokers together, written and read once"],
  ["consumer", "consumer, to PostgreSQL"],
  ["postgres", "PostgreSQL"],
] as const;

/** Writes what an event takes. */
function toCostTable(sizes: readonly Measured[]): string {
  const head = sizes.flatMap(({ size }) => [`µs, batches of ${size}`, "events/s of a core"]);
  const rows = PARTS.map(([part, name]) => [
    name,
    ...sizes.flatMap(({ micros }) => [
      formatCount(micros[part]),
      formatCount(Math.round(10_000 / micros[part]) * 100),
    ]),
  ]);
  const locked = sizes.flatMap((measured) => {
    const micros = (toLockedMillis(measured) * 1000) / measured.size;
    return [formatCount(micros), formatCount(Math.round(10_000 / micros) * 100)];
  });
  return toTable(
    ["CPU of an event", ...head],
    [...rows, ["**the lock of one database** (time, not CPU)", ...locked]],
  );
}

function toConditions(): string {
  const { machine, sizes } = readMeasurement();
  const trips = sizes
    .map(({ size, roundTrips: count }) => `${count} for a batch of ${size}`)
    .join(", ");
  const bytes = sizes.map((each) => `${Math.round(each.bytes / each.size)}`).join(" and ");
  return `Measured on ${machine.cores} cores that others used as well (load ${machine.loadBefore}; Node.js ${machine.node.slice(1)}, Kafka 4.1, PostgreSQL 15, everything on one machine), so that they are rather too high; an event has ${bytes} bytes, compressed. A way to PostgreSQL and back is taken for ${ROUND_TRIP_MILLIS} ms (${trips}), a commit for ${COMMIT_MILLIS} ms.`;
}

/** Gateways on their CPU, and the one request that each has with Kafka at a time. */
function toGatewayStations({ size, micros, ackMillis, bytes }: Measured, servers: number) {
  const checkingMillis = (micros.gateway * size) / 1000;
  const answering: Station = {
    servers,
    isShared: true,
    maxJobs: 1,
    serviceMillis: spread(ackMillis, checkingMillis),
  };
  const kafka: Station = {
    servers,
    isShared: true,
    maxJobs: Math.floor(MAX_REQUEST_BYTES / bytes),
    // Of the whole answer, what is not the gateway's own work.
    serviceMillis: ackMillis.map((millis) => Math.max(1, millis - checkingMillis)),
  };
  return { answering, kafka };
}

const toTimes = (times: readonly number[] = []): string =>
  [0.5, 0.99].map((share) => formatMillis(quantile(times, share))).join(" / ");

/** Lets batches come at a rate to the parts that it needs. */
function simulateRate(rate: number, measured: Measured): string[] {
  const { size, writeMillis } = measured;
  const { gateways, consumers, databases, brokerCores, postgresCores } = planParts(rate, measured);
  const { answering, kafka } = toGatewayStations(measured, gateways);
  const stations: readonly Station[] = [
    answering,
    kafka,
    { ...answering, servers: consumers, isShared: false },
    {
      servers: databases,
      isShared: false,
      maxJobs: 1,
      serviceMillis: spread(writeMillis, toLockedMillis(measured)),
    },
  ];
  const line = { stations, jobsPerSecond: rate / size, jobs: JOBS, seed: SEED };
  const { passedMillis, busy } = simulateQueues(line);
  return [
    ...[rate, size, gateways, brokerCores, consumers, databases, postgresCores].map(formatCount),
    `${Math.round((busy.at(-1) ?? 0) * 100)} %`,
    toTimes(passedMillis[1]),
    toTimes(passedMillis[3]),
  ];
}

function toPlanTable(sizes: readonly Measured[]): string {
  const rows = RATES.flatMap((rate) => sizes.map((measured) => simulateRate(rate, measured)));
  const head = [
    "events/s",
    "events of a batch",
    "gateways",
    "cores of brokers",
    "consumers",
    "databases",
    "cores of PostgreSQL",
    "writers are busy",
    ANSWERED,
    "stored, ms, median / 99 %",
  ];
  return toTable(head, rows);
}

/** Lets as many batches come as one gateway could just answer, to one and to several. */
function toGatewayTable(measured: Measured): string {
  const { size, micros, ackMillis } = measured;
  const rate = Math.floor((ALMOST_ALL * 1e6) / micros.gateway / 1000) * 1000;
  const rows = [1, 2, 4].map((gateways) => {
    const { answering, kafka } = toGatewayStations(measured, gateways);
    const line = { jobsPerSecond: rate / size, jobs: JOBS, seed: SEED };
    const { passedMillis, busy } = simulateQueues({ ...line, stations: [answering, kafka] });
    return [
      String(gateways),
      formatCount(rate),
      `${Math.round((busy[0] ?? 0) * 100)} %`,
      toTimes(passedMillis[1]),
    ];
  });
  const least = formatMillis(quantile(ackMillis, 0.5));
  const head = ["gateways", `events/s, in batches of ${size}`, "they are busy", ANSWERED];
  return `${toTable(head, rows)}\n\nWithout any waiting the median is ${least} ms.`;
}

const GRANTS = new URL("../../examples/deploy/grants.sql", import.meta.url);

/** Generates the parts of docs/scaling.md. */
export function toScalingParts(): Record<string, string> {
  const { sizes } = readMeasurement();
  const [small] = sizes;
  if (!small) throw new Error("measured.json has no sizes");
  return {
    "scaling:gateways": toGatewayTable(small),
    "scaling:grants": `\`\`\`sql\n${readFileSync(GRANTS, "utf8").trim()}\n\`\`\``,
    "scaling:costs": `${toCostTable(sizes)}\n\n${toConditions()}`,
    "scaling:load": `A part is planned to work ${MAX_LOAD * 100} % of the time: behind that, waiting grows fast.`,
    "scaling:plan": toPlanTable(sizes),
  };
}
