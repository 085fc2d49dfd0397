import type { GoldenFile } from "../golden-file.ts";
import { LOCAL_SCENARIOS } from "./local-scenarios.ts";
import { PLATFORM_SCENARIOS } from "./platform-scenarios.ts";
import { playOnStage } from "./stage.ts";

/** Makes the golden files of faults: what a monitor logs, counts and sends in each. */
export async function toFaultFiles(): Promise<GoldenFile[]> {
  const files: GoldenFile[] = [];
  const scenarios = { ...PLATFORM_SCENARIOS, ...LOCAL_SCENARIOS };
  for (const [name, { about, play }] of Object.entries(scenarios)) {
    const { lines, requests } = await playOnStage(play);
    const text = `${[`# ${about}`, ...lines].join("\n")}\n`;
    files.push({ path: `faults/${name}.txt`, text, details: requests });
  }
  return files;
}
