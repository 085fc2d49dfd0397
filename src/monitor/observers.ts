import type { BridgeStats } from "../bridge/bridge-counts.ts";
import { createForeignTelemetry, createModelCalls, turnOn } from "./deferred-observers.ts";
import type { ForeignTelemetry, MonitorTelemetryOptions } from "./foreign-telemetry.ts";
import type { ModelCalls } from "./model-calls.ts";
import { systemClock } from "../util/clock.ts";

/** What a monitor's observers work with. */
type ObserversOptions = Omit<MonitorTelemetryOptions, "calls">;

/** What a monitor sees beside what is tracked: telemetry of others, and model calls. Each is made at its first use. */
export class Observers {
  readonly #options: ObserversOptions;
  #foreign: ForeignTelemetry | undefined;
  #calls: ModelCalls | undefined;
  #turnOff: (() => void) | undefined;
  #isClosed = false;

  constructor(options: ObserversOptions) {
    this.#options = options;
    const { instrumentations = [] } = options.config;
    if (instrumentations.length > 0)
      this.#turnOff = turnOn(instrumentations, this.calls, options.log);
  }

  get foreign(): ForeignTelemetry {
    if (this.#foreign) return this.#foreign;
    this.#foreign = createForeignTelemetry({ ...this.#options, calls: () => this.#calls });
    // After the end there still is one to hand out, which takes nothing.
    if (this.#isClosed) this.#foreign.close();
    return this.#foreign;
  }

  get calls(): ModelCalls {
    if (this.#calls) return this.#calls;
    const { foreign } = this;
    this.#calls = createModelCalls({ ...this.#options, foreign, clock: systemClock });
    if (this.#isClosed) this.#calls.close();
    return this.#calls;
  }

  /** Makes events of what is complete. */
  flush(): void {
    this.#calls?.flush();
    this.#foreign?.bridge.flush();
  }

  /** Makes events of what has been seen, and observes nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#turnOff?.();
    this.#calls?.close();
    this.#foreign?.close();
  }

  stats(): { readonly bridge?: BridgeStats; readonly calls?: ReturnType<ModelCalls["stats"]> } {
    const doubled = this.#options.pipeline.interactions.doubles.count;
    return {
      ...(this.#foreign && { bridge: { ...this.#foreign.bridge.stats(), doubled } }),
      ...(this.#calls && { calls: this.#calls.stats() }),
    };
  }
}
