/*
 * The bench of the rules in a process of its own, which prints its figures as JSON: what other benches leave running,
 * and on the heap, shows in a 99th percentile.
 */
import { measureCompliance } from "./compliance-figures.ts";

process.stdout.write(JSON.stringify(await measureCompliance()));
