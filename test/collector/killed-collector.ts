import assert from "node:assert/strict";
import { SPAN_COUNT, type Protocol } from "./application.ts";
import { applications, type Application } from "./applications.ts";
import type { Collector } from "./collector.ts";
import type { Receiver } from "./receiver.ts";
import { withChain, type Scenario } from "./scenario.ts";
import { verifyArrived } from "./verify.ts";
import { until } from "./wait.ts";

/** Kills a collector when a part of the spans is there, and starts it again. */
async function killAt(collector: Collector, receiver: Receiver, count: number): Promise<void> {
  await until(`${count} spans are there`, async () => (await receiver.countSpans()) >= count);
  assert.ok(
    (await receiver.countSpans()) < SPAN_COUNT,
    "everything came before the collector was killed",
  );
  await collector.kill();
  await collector.start();
}

function killBoth(application: Application, protocol: Protocol): Scenario {
  return {
    name: `${application.name}, ${protocol}, agent and then gateway killed and restarted`,
    run: (binary) =>
      withChain(binary, protocol, async ({ agent, gateway, receiver }) => {
        const start = performance.now();
        const kill = async (): Promise<void> => {
          await killAt(agent, receiver, SPAN_COUNT / 4);
          await killAt(gateway, receiver, SPAN_COUNT / 2);
        };
        const work = [application.run({ url: agent.url, protocol, receiver }), kill()] as const;
        // Neither goes on into the next scenario, even if the other fails.
        await Promise.allSettled(work);
        const [ended] = await Promise.all(work);
        const seconds = (performance.now() - start) / 1000;
        const { spans, records } = await verifyArrived(receiver, ended, application.naming);
        return (
          `${spans} spans, ${records} log records in ${seconds.toFixed(1)} s, ` +
          `${receiver.countDuplicates()} of them came again`
        );
      }),
  };
}

/** A collector that waits for the answer of the next holds nothing that its sender does not hold as well. */
export const killedCollectorScenarios: readonly Scenario[] = applications.flatMap((application) => [
  killBoth(application, "http/json"),
  killBoth(application, "http/protobuf"),
]);
