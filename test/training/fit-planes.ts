import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FitJob } from "./fit-worker.ts";
import type { Hyperplane } from "./logistic.ts";

const WORKERS = 2;

// A worker begins with JavaScript.
const BOOT = `require("tsx/cjs"); require(${JSON.stringify(join(import.meta.dirname, "fit-worker.ts"))});`;

interface Fitted extends Hyperplane {
  readonly plane: number;
}

/** Fits hyperplanes on two cores; each comes out the same whichever worker fits it. */
export async function fitPlanes(jobs: readonly FitJob[]): Promise<Hyperplane[]> {
  const found: Hyperplane[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(BOOT, { eval: true });
    await new Promise<void>((resolve, reject) => {
      const give = (): void => {
        const job = jobs[next++];
        if (job) worker.postMessage(job, []);
        else resolve();
      };
      worker.on("error", reject);
      worker.on("message", (fitted: Fitted) => {
        found[fitted.plane] = fitted;
        give();
      });
      give();
    });
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return found;
}
