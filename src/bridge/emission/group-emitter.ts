import type { BridgeCounts } from "../bridge-counts.ts";
import type { BridgedEvent } from "../bridged-event.ts";
import { toMillis } from "../bridge-span.ts";
import type { ConversationMemory } from "../assembly/conversation-memory.ts";
import { joinTraces, type TraceRecords } from "../assembly/join-traces.ts";
import { readGroup, type GroupReaderOptions } from "../assembly/read-group.ts";
import { SharedCalls } from "../assembly/shared-calls.ts";
import { emitTrace } from "./emit-trace.ts";
import type { TraceGroup } from "../assembly/trace-group.ts";
import type { AssessedExchange } from "../span-exchange.ts";
import type { Turn } from "./turn.ts";

/** What a GroupEmitter works with. */
export interface GroupEmitterOptions {
  readonly memory: ConversationMemory;
  readonly counts: BridgeCounts;
  readonly reading: GroupReaderOptions;
  /** Runs what may fail; the rest goes on. */
  readonly guard: (action: () => void) => void;
  readonly onEvent: (event: BridgedEvent, assessed?: AssessedExchange) => void;
  readonly onTold?: ((traceIds: readonly string[]) => void) | undefined;
}

/** Returns whether spans may be of two instrumentations, which may have seen the same call. */
export function areOfSeveralScopes(groups: readonly TraceGroup[]): boolean {
  const first = groups[0]?.ended[0]?.span.instrumentationScope?.name;
  return groups.some(
    ({ ended, logs }) =>
      logs.size > 0 || ended.some(({ span }) => span.instrumentationScope?.name !== first),
  );
}

const beganAt = ({ ended }: TraceGroup): number => toMillis(ended[0]?.span.startTime) ?? 0;

/** Orders traces by their first span: one may go on with what another began. */
const byBeginning = (one: TraceGroup, other: TraceGroup): number => beganAt(one) - beganAt(other);

/** Emits what complete traces say. */
export class GroupEmitter {
  readonly #options: GroupEmitterOptions;
  readonly #shared = new SharedCalls();
  readonly #unnamed: Turn[] = [];

  constructor(options: GroupEmitterOptions) {
    this.#options = options;
  }

  tell(groups: readonly TraceGroup[]): void {
    const { guard, onTold, onEvent } = this.#options;
    const byTrace = new Map(groups.map((group) => [group.traceId, group]));
    this.#emitGroups(groups.length > 1 ? groups.toSorted(byBeginning) : groups, (event) =>
      onEvent(event, byTrace.get(event.traceId)?.findAssessed(event)),
    );
    // What nothing has named by now nothing of these traces does.
    for (const turn of this.#unnamed.splice(0)) guard(() => turn.emitUnnamed());
    onTold?.(groups.map(({ traceId }) => traceId));
  }

  #emitGroups(groups: readonly TraceGroup[], onEvent: (event: BridgedEvent) => void): void {
    if (!areOfSeveralScopes(groups)) {
      // One after the other: what was read of a trace need not live until the last one is emitted.
      for (const group of groups) {
        const trace = this.#read(group);
        if (group.isShared) this.#shared.note(trace);
        this.#emitTrace(trace, onEvent);
      }
      return;
    }
    const traces = groups.map((group) => this.#read(group));
    this.#options.guard(() => {
      joinTraces(traces);
      for (const [index, { isShared }] of groups.entries()) {
        const trace = traces[index];
        if (isShared && trace) this.#shared.note(trace);
      }
    });
    for (const trace of traces) this.#emitTrace(trace, onEvent);
  }

  #read(group: TraceGroup): TraceRecords {
    const { reading, guard, memory, counts } = this.#options;
    const { traceId, links } = group;
    const trace = { traceId, links, records: readGroup(group, reading) };
    guard(() => (counts.merged += this.#shared.settle(trace, memory)));
    return trace;
  }

  #emitTrace({ records, links }: TraceRecords, onEvent: (event: BridgedEvent) => void): void {
    if (records.length === 0) return;
    const { memory, counts, guard } = this.#options;
    guard(() => {
      counts.merged += emitTrace(records, links, {
        memory,
        onUnnamed: (turn) => this.#unnamed.push(turn),
        tell: (event) => {
          counts.events++;
          onEvent(event);
        },
      });
    });
  }
}
