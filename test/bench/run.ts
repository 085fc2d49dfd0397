/*
 * Runs every bench against the built package: `npm run bench`, one line of figures with `-- --json`.
 */
import { benchDeliver } from "./deliver.ts";
import { benchHeap } from "./heap.ts";
import { benchImport } from "./import.ts";
import { benchTrack } from "./track.ts";

const isJson = process.argv.includes("--json");
const round = (figure: number): number => Math.round(figure * 100) / 100;
const say = (line: string): void => {
  if (!isJson) process.stdout.write(`${line}\n`);
};

const imported = benchImport();
const { millis } = imported;
say(
  `import        ${round(imported.vsDependencies)} x its dependencies (limit 1.25): ` +
    `${round(millis.package)} ms beside ${round(millis.dependencies)} ms`,
);
const track = await benchTrack();
say(
  `track         ${round(track.vsOtelFloor)} x bare OTel (limit 2), ${round(track.vsLangfuse)} x Langfuse: ` +
    `${round(track.micros.monitor)} us beside ${round(track.micros.floor)} and ${round(track.micros.langfuse)}`,
);
const deliver = await benchDeliver();
const rate = deliver.eventsPerSecond;
say(
  `deliver       ${round(deliver.vsOtlpJson)} x OTLP/JSON (limit 1.2), ${round(deliver.vsBareLimit)} of the bare limit (aim 0.6): ` +
    `${rate.monitor} events/s beside ${rate.otlpJson} and ${rate.bare}`,
);
const heap = await benchHeap();
say(
  `heap          ${round(heap.growthMb)} MB more after 1,000,000 events than after 100,000 (limit 20)`,
);

if (isJson) {
  const figures = {
    "track.vsOtelFloor": round(track.vsOtelFloor),
    "track.vsLangfuse": round(track.vsLangfuse),
    "deliver.vsOtlpJson": round(deliver.vsOtlpJson),
    "deliver.vsBareLimit": round(deliver.vsBareLimit),
    "import.vsDependencies": round(imported.vsDependencies),
    "heap.growthMb": round(heap.growthMb),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
