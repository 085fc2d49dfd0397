import type * as Kafka from "@platformatic/kafka";
import type { Consumer, GroupAssignment, Message, MessagesStream } from "@platformatic/kafka";
import type { Logger } from "../../events/utility.ts";
import { type Clock, sleep } from "../../util/clock.ts";
import { describeKafkaError } from "./kafka-errors.ts";
import type { KafkaAccess, KafkaAddress } from "./kafka-options.ts";
import { guardConnections, loadKafka, toConnection } from "./load-kafka.ts";

/** A record as it was read. */
export interface ReadRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string;
  readonly value: Buffer;
  /** A repeated header has its last value. */
  readonly headers: ReadonlyMap<string, string>;
}

/** What is consumed, and who takes it. */
export interface ConsumerOptions {
  /** Begins the message of an error, and names the client to brokers. */
  readonly owner: string;
  readonly address: KafkaAddress;
  readonly access: KafkaAccess;
  /** Consumers of a group share the partitions. */
  readonly group: string;
  readonly topics: readonly string[];
  /** Takes records, those of a partition in order; resolves once all are stored. They come again where it throws. */
  readonly take: (records: readonly ReadRecord[]) => Promise<void>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Records that are taken at a time; their offsets are committed together. */
const MAX_RECORDS = 64;
/** Wait behind a failure. */
const PAUSE_MILLIS = 500;

const CLIENT_OPTIONS = {
  // The client would commit what it has read, before it is stored.
  autocommit: false,
  maxWaitTime: 500,
  retries: 2,
  retryDelay: 200,
  connectTimeout: 3000,
  requestTimeout: 5000,
  sessionTimeout: 10_000,
  rebalanceTimeout: 15_000,
  heartbeatInterval: 1000,
} as const;

type Read = Message;
type Stream = MessagesStream<Buffer, Buffer, Buffer, Buffer>;

const NOTHING = Buffer.alloc(0);

/** Reads a record of anybody: key and value may be absent, whatever the client's types say. */
function toRecord({ topic, partition, offset, key, value, headers }: Read): ReadRecord {
  const pairs = [...headers].map(([name, text]) => [String(name), String(text)] as const);
  const given: { readonly key: Buffer | null; readonly value: Buffer | null } = { key, value };
  return {
    topic,
    partition,
    offset,
    key: String(given.key ?? ""),
    value: given.value ?? NOTHING,
    headers: new Map(pairs),
  };
}

/** Takes what has been read beside a first record. */
function takeRead(stream: Stream, first: Read): Read[] {
  const messages = [first];
  while (messages.length < MAX_RECORDS) {
    const next = stream.read() as Read | null;
    if (next === null) break;
    messages.push(next);
  }
  return messages;
}

/** Commits the last record of each partition. */
async function commit(messages: readonly Read[]): Promise<void> {
  const last = new Map(
    messages.map((message) => [`${message.topic} ${message.partition}`, message]),
  );
  for (const message of last.values()) await message.commit();
}

/** Takes what comes until the signal fires, or something fails. */
async function consume(
  client: Consumer,
  { topics, take }: ConsumerOptions,
  { signal, onConnected }: { readonly signal: AbortSignal; readonly onConnected: () => void },
): Promise<void> {
  const from = { mode: "committed", fallbackMode: "earliest" } as const;
  const stream = await client.consume({ topics: [...topics], ...from });
  onConnected();
  // One that can't join its group again says so here only, and would wait forever.
  client.on("error", (error: Error) => void stream.destroy(error));
  const end = (): void => void stream.destroy();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    for await (const message of stream) {
      const messages = takeRead(stream, message);
      await take(messages.map(toRecord));
      await commit(messages);
    }
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/**
 * Leaves the group and closes the connections. Where no broker lets it leave, its place ends with its session; the client would
 * keep the connections.
 */
async function leave(client: Consumer, { Base }: typeof Kafka): Promise<void> {
  const isLeft = await new Promise<boolean>((resolve) => {
    client.close(true, (error) => resolve(!error));
  });
  if (!isLeft) await Base.prototype.close.call(client).catch(() => undefined);
}

/** Adds up what waits in the partitions of a consumer; `undefined` as long as that of one is not known. */
function addUp(
  lag: ReadonlyMap<string, readonly bigint[]>,
  own: readonly GroupAssignment[],
): number | undefined {
  let sum = 0;
  for (const { topic, partitions } of own)
    for (const partition of partitions) {
      const waiting = Number(lag.get(topic)?.[partition] ?? -1);
      // The client does not know yet how far its group has come.
      if (waiting < 0) return undefined;
      sum += waiting;
    }
  return sum;
}

/**
 * Starts to consume topics from where the group has left off, the beginning for a new group.
 *
 * Offsets are committed behind the store: a record comes again rather than never. Behind any failure it begins with another
 * client, as one that has lost the coordinator of its group does not find it again.
 */
export async function startKafkaConsumer(options: ConsumerOptions) {
  const { owner, address, access, group: groupId, topics, logger, clock } = options;
  const kafka = await loadKafka(owner);
  const stop = new AbortController();
  const { signal } = stop;
  let connected: Consumer | undefined;
  const leaving = new Set<Promise<void>>();

  /** Why it has failed since it was connected: the same reason again has no line of its own. */
  let said = "";
  const report = (error: unknown): void => {
    const reason = describeKafkaError(error);
    if (signal.aborted || reason === said) return;
    said = reason;
    logger.warn(`kafka: ${reason}; consumes again`);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const clientOptions = {
        ...CLIENT_OPTIONS,
        ...toConnection(address, access),
        clientId: `agent-monitor-${owner}`,
        groupId,
      };
      const client = guardConnections(new kafka.Consumer(clientOptions), kafka);
      // Without a listener it would end the process.
      client.on("error", () => undefined);
      const onConnected = (): void => {
        connected = client;
        said = "";
      };
      try {
        await consume(client, options, { signal, onConnected });
      } catch (error) {
        report(error);
      }
      connected = undefined;
      // Others need not wait for brokers that are gone.
      const left = leave(client, kafka).finally(() => leaving.delete(left));
      leaving.add(left);
      await sleep(clock, PAUSE_MILLIS, signal);
    }
  };
  const running = run();
  return {
    /** Whether it has a place in its group. */
    get isConnected() {
      return connected !== undefined;
    },
    /** Returns how many records wait in its partitions; `undefined` where brokers don't say. */
    async findLag(): Promise<number | undefined> {
      try {
        const lag = await connected?.getLag({ topics: [...topics] });
        return lag && connected?.assignments ? addUp(lag, connected.assignments) : undefined;
      } catch {
        return undefined;
      }
    },
    async close(): Promise<void> {
      stop.abort();
      await running;
      await Promise.all(leaving);
    },
  };
}
