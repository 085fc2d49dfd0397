import { readAllCaptures, replay } from "../helpers/captures.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { compareText, toDigest, type GoldenFile } from "./golden-file.ts";

const CAPTURES = new URL("../fixtures/dialects/captures/", import.meta.url);

/** Makes the golden file of the captured spans: which events the bridge makes of each, as a digest of their JSON. */
export function toEventsFile(): GoldenFile {
  const captures = readAllCaptures(CAPTURES).toSorted((one, other) =>
    compareText(one.name, other.name),
  );
  const replayed = captures.map(({ name, capture }) => ({
    name,
    events: replay(capture, createFakeClock()).map((event) => JSON.stringify(event)),
  }));
  const lines = replayed.map(
    ({ name, events }) => `${name} ${events.length} ${toDigest(events.join("\n"))}`,
  );
  return {
    path: "events.txt",
    text: `# capture, number of its events, SHA-256 of their JSON\n${lines.join("\n")}\n`,
    details: replayed.flatMap(({ name, events }) => [JSON.stringify({ capture: name }), ...events]),
  };
}
