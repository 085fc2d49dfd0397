import type { Destination, Ended } from "./application.ts";
import { nameMonitorSpan, runMonitorApplication } from "./monitor-application.ts";
import { startReceiver } from "./receiver.ts";
import { nameStockSpan, runStockApplication } from "./stock-application.ts";
import type { Naming } from "./verify.ts";

/** An application that sends spans and log records to a collector. */
export interface Application {
  readonly name: string;
  readonly naming: Naming;
  run(destination: Destination): Promise<Ended>;
}

/** Uses `AgentMonitor`, whose events go to a platform beside the collector meanwhile. */
export const monitorApplication: Application = {
  name: "AgentMonitor",
  naming: { nameSpan: nameMonitorSpan, recordId: "log.record.uid" },
  async run(destination) {
    const platform = await startReceiver();
    try {
      return await runMonitorApplication(destination, platform.url, () => platform.listEventIds());
    } finally {
      await platform.close();
    }
  },
};

/** Knows nothing of this package. */
export const stockApplication: Application = {
  name: "OpenTelemetry alone",
  naming: { nameSpan: nameStockSpan, recordId: "call" },
  run: runStockApplication,
};

/** Both. */
export const applications: readonly Application[] = [monitorApplication, stockApplication];
