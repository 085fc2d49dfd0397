import type { ComplianceEngine, ComplianceRule } from "../../testing.ts";
import { type Clock, systemClock } from "../../util/clock.ts";

/**
 * Loads the engine of the SDK, at first use: a platform that only receives needs none. The built platform takes it from the files of
 * the package, which so has it once.
 */
export async function loadRules() {
  const {
    builtInRules,
    ComplianceEngine: Engine,
    isDefinedRule,
  } = await import("../../testing.ts");
  return { builtInRules, Engine, isDefinedRule };
}

/** Loads what reads packs, and what is known of the built-in one. */
export async function loadPacks() {
  const { describeSecondLook, PackError, readBuiltInSource, readPatternFigures, readRulePack } =
    await import("../../packs.ts");
  return { describeSecondLook, PackError, readBuiltInSource, readPatternFigures, readRulePack };
}

const SILENT = { log: () => undefined, flush: () => undefined };

/**
 * Creates an engine and has it read its rules, in slices.
 *
 * @param now - The time by which it forgets sessions; it stands still while a rule runs, so that none is skipped on a busy machine.
 */
export async function createEngine(
  rules: readonly ComplianceRule[],
  now: () => number = () => systemClock.now(),
): Promise<ComplianceEngine> {
  const { Engine } = await loadRules();
  const clock: Clock = { ...systemClock, now };
  const engine = new Engine({ clock, log: SILENT, rules });
  await engine.preparation.ready();
  return engine;
}
