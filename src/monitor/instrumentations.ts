import type { ResolvedConfig } from "../config/config.ts";
import { createAiSdkHook } from "../instrumentation/hooks/ai-sdk.ts";
import { registerLangChain } from "../instrumentation/hooks/langchain-register.ts";
import { createLangChainHandler } from "../instrumentation/hooks/langchain.ts";
import {
  describeClient,
  findInstalledClients,
  type ClientReport,
} from "../instrumentation/known-clients.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { ModelCalls } from "./model-calls.ts";

type Name = NonNullable<ResolvedConfig["instrumentations"]>[number];

/** What turning instrumentations on takes. */
export interface InstrumentationsOptions {
  readonly names: readonly Name[];
  readonly calls: ModelCalls;
  readonly log: BurstLogger;
  /** Folder of the application, in which its clients are looked up. */
  readonly folder: string;
}

/** Logs once which clients were found, and which of them are not covered or not tested. */
function report(names: readonly Name[], clients: readonly ClientReport[], log: BurstLogger): void {
  const found = clients.map(({ client, version }) => `${client.name} ${version}`).join(", ");
  log.log(
    "info",
    "instrumentations",
    `instrumentations: ${names.join(", ")}; clients found: ${found || "none"}`,
  );
  const odd = clients.filter(({ verdict }) => verdict !== "tested");
  if (odd.length > 0)
    log.log("warn", "instrumentations:clients", odd.map(describeClient).join("; "));
}

/**
 * Turns on what the configuration names. One that fails leaves the others, and the application, as they are.
 *
 * @returns Turns them off again.
 */
export function turnOn({ names, calls, log, folder }: InstrumentationsOptions): () => void {
  const clients = findInstalledClients(folder);
  const undo: (() => void)[] = [];
  const starts: Record<Name, () => void> = {
    fetch() {
      calls.install();
      undo.push(() => calls.uninstall());
    },
    "ai-sdk"() {
      const hook = createAiSdkHook(calls.host);
      hook.enable();
      undo.push(() => hook.disable());
    },
    langchain() {
      // Offering LangChain a storage loads a part of it, which takes time.
      if (!clients.some(({ client }) => client.name === "@langchain/core")) return;
      registerLangChain(createLangChainHandler(calls.host), folder);
    },
  };
  for (const name of names) {
    try {
      starts[name]();
    } catch (error) {
      log.log(
        "warn",
        `instrumentations:${name}`,
        `instrumentation ${name} is off (${toErrorName(error)})`,
      );
    }
  }
  report(names, clients, log);
  return () => {
    for (const off of undo) off();
  };
}
