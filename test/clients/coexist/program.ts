import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import type { SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { AgentMonitor } from "../../../src/monitor/monitor.ts";
import { startModelServer } from "../../helpers/model-server/index.ts";
import { startSink } from "../../helpers/sink.ts";
import { toEventLine, type EventLine } from "../suite/event-line.ts";
import { readStream } from "../suite/read-stream.ts";
import { toPlain } from "../suite/snapshot.ts";
import { OPENS, SATURDAY, withWords } from "../suite/talk.ts";
import type { Instrumentation } from "./instrumentations.ts";

/** Whether we come before the other one, behind it, or not at all. */
export const ORDERS = ["without", "first", "last"] as const;
export type Order = (typeof ORDERS)[number];

/** What the program is started with. */
export interface ProgramOptions {
  readonly kind: Instrumentation["kind"];
  readonly order: Order;
  readonly Monitor: typeof AgentMonitor;
  /** The packages of OpenTelemetry, and of the other one; loaded before the client. */
  readonly modules: Readonly<Record<string, any>>;
  /** Loads the client, so that it can be patched. */
  readonly loadClient: () => any;
}

/** What came of the program. */
export interface Report {
  /** What the caller sees. */
  readonly results: unknown;
  /** Spans of the other one that ended, with their attributes. */
  readonly theirs: readonly unknown[];
  /** Spans that did not end. */
  readonly open: number;
  readonly events: readonly EventLine[];
  /** Traces and events that waited for more after `flush()`, until we were shut down. */
  readonly left: number;
  readonly rejections: readonly string[];
}

/** Stands in the output before the report. */
const MARKER = "@report ";

function createRecorder() {
  const spans: any[] = [];
  let open = 0;
  const processor: SpanProcessor = {
    onStart: () => void open++,
    onEnd(span) {
      open--;
      spans.push(span);
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  return { spans, processor, countOpen: () => open };
}

/** Sets up Sentry as its documentation has it for a service with a provider of its own; gives its processor. */
function startSentry({ other, sentryOtel }: ProgramOptions["modules"]): SpanProcessor {
  other.init({
    dsn: "https://key@sentry.invalid/1",
    tracesSampleRate: 1,
    skipOpenTelemetrySetup: true,
    integrations: [other.openAIIntegration({ recordInputs: true, recordOutputs: true })],
    transport: (options: object) => other.createTransport(options, async () => ({})),
  });
  return new sentryOtel.SentrySpanProcessor();
}

/** Turns on the other one; gives what it does to a client, if it wraps clients. */
function install({ kind, modules }: ProgramOptions, providers: object): (client: any) => any {
  if (kind === "sentry") return (client) => client;
  if (kind === "langfuse") return (client) => modules["other"].observeOpenAI(client);
  const { OpenAIInstrumentation } = modules["other"];
  const instrumentation = new OpenAIInstrumentation({ captureMessageContent: true });
  modules["instrumentation"].registerInstrumentations({
    instrumentations: [instrumentation],
    ...providers,
  });
  return (client) => client;
}

/** Spans of Sentry around the requests themselves, of this program and of the servers in it. */
const isOfHttp = ({ attributes }: any): boolean =>
  /\.http\./.test(String(attributes["sentry.origin"]));

/** What differs from run to run, and what we say about every call. */
const NOT_THEIRS = /port|address|completion_start_time|^agent_monitor\./;

const toSpan = ({
  name,
  attributes,
  instrumentationScope,
  instrumentationLibrary,
}: any): object => ({
  name,
  scope: (instrumentationScope ?? instrumentationLibrary).name,
  attributes: Object.fromEntries(
    Object.entries(attributes).filter(([key]) => !NOT_THEIRS.test(key)),
  ),
});

/** A question that the server refuses to answer. */
export const REFUSED = withWords("status=401");

const withoutDates = (plain: unknown): unknown =>
  JSON.parse(JSON.stringify(plain).replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, "a date"));

/** Asks three questions of the client: one is streamed, one is refused. */
async function ask(client: any): Promise<unknown> {
  const model = "gpt-5";
  const messages = [{ role: "user", content: OPENS }];
  const whole = await client.chat.completions.create({ model, messages });
  const streamed = await readStream(
    client.chat.completions.create({
      model,
      messages: [{ role: "user", content: SATURDAY }],
      stream: true,
      stream_options: { include_usage: true },
    }),
  );
  const refused = await client.chat.completions
    .create({ model, messages: [{ role: "user", content: REFUSED }] })
    .catch((error: unknown) => error);
  return withoutDates(toPlain([whole, streamed, refused]));
}

async function collect(options: ProgramOptions): Promise<Report> {
  const { kind, order, modules, loadClient, Monitor } = options;
  const rejections: string[] = [];
  process.on("unhandledRejection", (reason) => void rejections.push(String(reason)));
  const [server, sink] = [await startModelServer(), await startSink()];
  const recorder = createRecorder();
  const isObserved = order !== "without";
  const monitor = new Monitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint: sink.url,
    enableLogging: false,
  });
  const provider = new modules["node"].NodeTracerProvider({
    spanProcessors: [
      ...(kind === "sentry" ? [startSentry(modules)] : []),
      recorder.processor,
      ...(isObserved ? [monitor.spanProcessor] : []),
    ],
  });
  provider.register();
  const exporter = new SimpleLogRecordProcessor({ exporter: new InMemoryLogRecordExporter() });
  const loggerProvider = new LoggerProvider({
    processors: [exporter, ...(isObserved ? [monitor.logRecordProcessor] : [])],
  });
  const providers = { tracerProvider: provider, loggerProvider };
  if (order === "first") monitor.instrumentFetch();
  const wrap = install(options, providers);
  if (order === "last") monitor.instrumentFetch();
  const { OpenAI } = loadClient();
  const client = wrap(
    new OpenAI({ apiKey: "sk-test", baseURL: `${server.url}/v1`, maxRetries: 0 }),
  );
  const scope = { agentId: "assistant", sessionId: "session-1" };
  const results = await monitor.conversation(scope, () => ask(client));
  await provider.forceFlush();
  await monitor.flush();
  const { bridge, pending } = monitor.stats();
  await monitor.shutdown();
  const told = recorder.spans.filter((span) => !isOfHttp(span));
  const spans = told.map((span) => toSpan(span)) as { scope: string }[];
  return {
    results,
    theirs: spans.filter((span) => span.scope !== "agent-monitor"),
    open: recorder.countOpen(),
    events: sink.events.map((event) => toEventLine(event)),
    left: (bridge?.waiting ?? 0) + pending,
    rejections,
  };
}

async function run(options: ProgramOptions): Promise<void> {
  const report = await collect(options);
  process.stdout.write(`\n${MARKER}${JSON.stringify(report)}\n`, () => process.exit(0));
}

/** Uses a client that two observe, and prints what came of it; `read` finds that in the output. */
export const program = {
  run,
  read(output: string): Report | undefined {
    const line = output.split("\n").find((each) => each.startsWith(MARKER));
    return line === undefined ? undefined : (JSON.parse(line.slice(MARKER.length)) as Report);
  },
} as const;
