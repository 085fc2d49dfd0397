/*
 * Runs every bench against the built package: `npm run bench`, one line of figures with `-- --json`, pages at 5,000,000 events on
 * PostgreSQL as well with `-- --large`.
 */
import { benchBridge } from "./bridge.ts";
import { benchCluster } from "./cluster.ts";
import { benchCompliance } from "./compliance.ts";
import { benchDeliver } from "./deliver.ts";
import { benchFanout } from "./fanout.ts";
import { benchHeap } from "./heap.ts";
import { benchImport } from "./import.ts";
import { benchInstrument } from "./instrument.ts";
import { benchJudge } from "./judge.ts";
import { benchPlatform } from "./platform.ts";
import { benchRegister } from "./register.ts";
import { benchReplayMemory } from "./replay-memory.ts";
import { benchAppend, benchReplay } from "./spool.ts";
import { benchTrack } from "./track.ts";

const isJson = process.argv.includes("--json");
const round = (figure: number): number => Math.round(figure * 100) / 100;
const roundFinely = (figure: number): number => Math.round(figure * 10_000) / 10_000;
const say = (line: string): void => {
  if (!isJson) process.stdout.write(`${line}\n`);
};

const imported = benchImport();
const { millis } = imported;
say(
  `import        ${round(imported.vsDependencies)} x its dependencies (limit 1.2): ` +
    `${round(millis.package)} ms beside ${round(millis.dependencies)} ms`,
);
const track = await benchTrack();
say(
  `track         ${round(track.vsOtelFloor)} x bare OTel (limit 1.8), ${round(track.vsLangfuse)} x Langfuse: ` +
    `${round(track.micros.monitor)} us beside ${round(track.micros.floor)} and ${round(track.micros.langfuse)}`,
);
const compliance = await benchCompliance();
say(
  `compliance    p50 ${round(compliance.p50Ms2k)} ms (limit 0.3), p99 ${round(compliance.p99Ms2k)} ms (limit 1) for 2 KB, ` +
    `${round(compliance.youngP50Ms2k)} and ${round(compliance.youngP99Ms2k)} ms in a young process, p99 ${round(compliance.p99Ms32k)} ms for 32 KB (limit 10), ${round(compliance.linearity)} x linear; ` +
    `made in ${round(compliance.constructMs)} ms (limit 20), ready ${round(compliance.readyMs)} ms later in slices of at most ${round(compliance.readySliceMs)} ms (limit 10), ` +
    `at once ${round(compliance.prepareMs)} ms; first evaluation ${round(compliance.firstMs)} ms (limit 35), an early answer ${round(compliance.earlyTrackMs)} ms (limit 5), ` +
    `${round(compliance.memoryMb)} MB (limit 25), p99 ${round(compliance.p99Vs50)} x p50 (limit 4); ` +
    `${round(compliance.vsNaive)} x PII regexes and keywords (limit 2): ${round(compliance.naiveMs)} ms`,
);
const deliver = await benchDeliver();
const rate = deliver.eventsPerSecond;
say(
  `deliver       ${round(deliver.vsOtlpJson)} x OTLP/JSON (limit 1.6), ${round(deliver.vsBareLimit)} of the bare limit (aim 0.6): ` +
    `${rate.monitor} events/s beside ${rate.otlpJson} and ${rate.bare}`,
);
const bridge = await benchBridge();
const perSpan = bridge.micros;
say(
  `bridge        ${round(bridge.vsJson)} x JSON of the content (limit 3): ${round(perSpan.bridge)} us beside ${round(perSpan.json)}; ` +
    `${round(bridge.vsPeers)} x OpenInference, ${round(bridge.vsForwarding)} x Langfuse: ` +
    `${round(perSpan.bridgeOfAiSdk)} us beside ${round(perSpan.openInference)} and ${round(perSpan.langfuse)}; ` +
    `other spans ${round(bridge.nonLlmVsNoop)} x no-op (limit 2): ${round(perSpan.plain)} us beside ${round(perSpan.noop)}`,
);
const fanout = await benchFanout();
const cpu = fanout.millis;
say(
  `fan-out       ${round(fanout.vsStock)} x OTel's processors and exporters (limit 1.3), three destinations: ` +
    `${Math.round(cpu.monitor - cpu.tracking)} ms of CPU beside ${Math.round(cpu.stock - cpu.tracking)}, ` +
    `without the ${Math.round(cpu.tracking)} of tracking`,
);
const instrument = await benchInstrument();
const list = (figures: Readonly<Record<string, number>>): string =>
  Object.entries(figures)
    .map(([side, figure]) => `${side} ${Math.round(figure)}`)
    .join(", ");
say(
  `instrument    a caller waits ${round(instrument.vsPeers)} x the cheapest of OTel, OpenInference, Langfuse (limit 1): ` +
    `us ${list(instrument.waitMicros)}; CPU ${round(instrument.cpuVsPeers)} x, ` +
    `with events made and delivered ${round(instrument.deliveredVsPeers)} x: us ${list(instrument.callMicros)}; ` +
    `4,000 chunks ${round(instrument.streamVsBare)} x bare (limit 1.25), ${round(instrument.streamVsOtel)} x OTel (limit 1)`,
);
const register = await benchRegister();
const { stream, body } = register.registerMillis;
say(
  `register      4,000 chunks ${round(register.registerStreamVsBare)} x a context manager alone (limit 1.3): ` +
    `${round(stream[1])} ms beside ${round(stream[0])}; an answer of 64 KiB ${round(register.registerBodyVsBare)} x (limit 2): ` +
    `${round(body[1])} ms beside ${round(body[0])}`,
);
const judge = await benchJudge();
say(
  `judge         a caller waits ${round(judge.trackVsOff)} x without it (limit 1.05): us on ${Math.round(judge.micros.on)}, off ${Math.round(judge.micros.off)}; ` +
    `10,000 answers of 2 KB that wait take ${round(judge.pendingMb)} MB (limit 30)`,
);
const heap = await benchHeap();
say(
  `heap          ${round(heap.growthMb)} MB more after 1,000,000 events than after 100,000 (limit 20)`,
);

const append = await benchAppend();
const { memory, process: spooled, power, bare } = append.micros;
say(
  `spool append  ${round(append.vsMemory)} x memory (limit 3), ${round(append.powerVsMemory)} with power (limit 3), ` +
    `${round(append.vsBareWrite)} x a bare write, p99 ${round(append.tail)} x p50 (limit 10): ` +
    `${round(spooled)} and ${round(power)} us beside ${round(memory)} and ${round(bare)}`,
);
const replay = await benchReplay();
say(
  `spool replay  ${replay.eventsPerSecond} events/s read (limit 150000), ${round(replay.vsLive)} x live delivery (limit 0.8)`,
);
const backlog = await benchReplayMemory();
say(
  `spool memory  ${round(backlog.extraMb)} MB more for a backlog of ${round(backlog.backlogMb)} MB (limit 100)`,
);
const platform = await benchPlatform(say);
const cluster = await benchCluster(process.argv.includes("--large"), say);

if (isJson) {
  const figures = {
    "track.vsOtelFloor": round(track.vsOtelFloor),
    "track.vsLangfuse": round(track.vsLangfuse),
    "compliance.p50Ms2k": roundFinely(compliance.p50Ms2k),
    "compliance.p99Ms2k": roundFinely(compliance.p99Ms2k),
    "compliance.youngP50Ms2k": roundFinely(compliance.youngP50Ms2k),
    "compliance.youngP99Ms2k": roundFinely(compliance.youngP99Ms2k),
    "compliance.p99Ms32k": round(compliance.p99Ms32k),
    "compliance.constructMs": round(compliance.constructMs),
    "compliance.prepareMs": round(compliance.prepareMs),
    "compliance.readySliceMs": round(compliance.readySliceMs),
    "compliance.readyMs": round(compliance.readyMs),
    "compliance.firstMs": round(compliance.firstMs),
    "compliance.memoryMb": round(compliance.memoryMb),
    "compliance.p99Vs50": round(compliance.p99Vs50),
    "compliance.earlyTrackMs": round(compliance.earlyTrackMs),
    "compliance.vsNaive": round(compliance.vsNaive),
    "compliance.linearity": round(compliance.linearity),
    "deliver.vsOtlpJson": round(deliver.vsOtlpJson),
    "deliver.vsBareLimit": round(deliver.vsBareLimit),
    "bridge.vsJson": round(bridge.vsJson),
    "bridge.vsPeers": round(bridge.vsPeers),
    "bridge.nonLlmVsNoop": round(bridge.nonLlmVsNoop),
    "fanout.vsStock": round(fanout.vsStock),
    "instrument.vsPeers": round(instrument.vsPeers),
    "instrument.cpuVsPeers": round(instrument.cpuVsPeers),
    "instrument.deliveredVsPeers": round(instrument.deliveredVsPeers),
    "instrument.streamVsBare": round(instrument.streamVsBare),
    "instrument.streamVsOtel": round(instrument.streamVsOtel),
    "instrument.registerStreamVsBare": round(register.registerStreamVsBare),
    "instrument.registerBodyVsBare": round(register.registerBodyVsBare),
    "judge.trackVsOff": round(judge.trackVsOff),
    "judge.pendingMb": round(judge.pendingMb),
    "import.vsDependencies": round(imported.vsDependencies),
    "heap.growthMb": round(heap.growthMb),
    "spool.appendVsMemory": round(append.vsMemory),
    "spool.powerVsMemory": round(append.powerVsMemory),
    "spool.appendVsBareWrite": round(append.vsBareWrite),
    "spool.appendTail": round(append.tail),
    "spool.replayEventsPerSecond": replay.eventsPerSecond,
    "spool.replayVsLive": round(replay.vsLive),
    "spool.replayExtraMb": round(backlog.extraMb),
    ...platform,
    ...cluster,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
