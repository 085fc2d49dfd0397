/*
 * Runs the benches of the platform alone: `npm run bench:platform`, one line of figures with `-- --json`, fewer events with
 * `-- --conversations 10000`.
 */
import { benchPlatform } from "./platform.ts";

const isJson = process.argv.includes("--json");
const figures = await benchPlatform((line) => {
  if (!isJson) process.stdout.write(`${line}\n`);
});
if (isJson) process.stdout.write(`${JSON.stringify(figures)}\n`);
