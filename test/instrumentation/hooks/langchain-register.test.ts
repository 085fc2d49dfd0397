import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLangChainHandler } from "../../../src/instrumentation/hooks/langchain.ts";
import {
  findLangChainContexts,
  LANGCHAIN_VARIABLE,
  registerLangChain,
  registerLangChainHandler,
} from "../../../src/instrumentation/hooks/langchain-register.ts";
import { createHookHost } from "./hook-host.ts";

/** A folder with a package whose context module keeps what is registered, as LangChain's keeps it. */
function createApplication(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-monitor-langchain-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const core = join(folder, "node_modules/@langchain/core");
  mkdirSync(join(core, "dist"), { recursive: true });
  writeFileSync(
    join(core, "package.json"),
    JSON.stringify({
      name: "@langchain/core",
      exports: { "./context": "./dist/context.cjs", "./singletons": "./dist/singletons.cjs" },
    }),
  );
  const context =
    "exports.hooks = []; exports.registerConfigureHook = (c) => exports.hooks.push(c);";
  writeFileSync(join(core, "dist/context.cjs"), context);
  writeFileSync(join(core, "dist/context.js"), context);
  const singletons =
    "exports.AsyncLocalStorageProviderSingleton = { initializeGlobalInstance() {} };";
  writeFileSync(join(core, "dist/singletons.cjs"), singletons);
  return folder;
}

describe("registration", () => {
  it("registers one handler for every run, which a variable turns off", () => {
    const { host } = createHookHost();
    const handler = createLangChainHandler(host);
    const registered: { handlerClass: new () => unknown; envVar: string; inheritable: boolean }[] =
      [];
    const environment: Record<string, string | undefined> = {};
    const registerConfigureHook = (hook: (typeof registered)[number]): number =>
      registered.push(hook);
    registerLangChainHandler(handler, { registerConfigureHook }, environment);
    expect(registered).toMatchObject([{ envVar: LANGCHAIN_VARIABLE, inheritable: true }]);
    expect(registered[0] && new registered[0].handlerClass()).toBe(handler);
    expect(environment).toEqual({ [LANGCHAIN_VARIABLE]: "true" });
    const off = { [LANGCHAIN_VARIABLE]: "false" };
    registerLangChainHandler(handler, { registerConfigureHook }, off);
    expect(off[LANGCHAIN_VARIABLE]).toBe("false");
  });

  it("finds both copies of an installed LangChain", () => {
    const folder = createApplication();
    expect(findLangChainContexts(folder)).toHaveLength(2);
    const handler = createLangChainHandler(createHookHost().host);
    expect(registerLangChain(handler, folder, {})).toBe(2);
    for (const { hooks } of findLangChainContexts(folder) as unknown as { hooks: unknown[] }[]) {
      expect(hooks).toHaveLength(1);
    }
  });

  it("finds none where there is none", () => {
    const handler = createLangChainHandler(createHookHost().host);
    expect(findLangChainContexts(tmpdir())).toEqual([]);
    expect(registerLangChain(handler, tmpdir(), {})).toBe(0);
  });
});
