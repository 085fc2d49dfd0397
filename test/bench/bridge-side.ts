/*
 * The bench of the bridge in a process of its own, which prints its figures as JSON: other benches leave a heap behind, and
 * code of OpenTelemetry that is compiled for their spans.
 */
import { measureBridge } from "./bridge-figures.ts";

process.stdout.write(JSON.stringify(await measureBridge()));
process.exit(0);
