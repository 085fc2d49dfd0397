/** Called when the process is about to end. */
export type ExitHook = () => void;

interface ExitHooks {
  readonly hooks: Set<ExitHook>;
  readonly listener: () => void;
}

// The ESM and the CommonJS build of one process share one listener for each.
const REGISTRIES = {
  beforeExit: Symbol.for("agent-monitor.exit-hooks"),
  exit: Symbol.for("agent-monitor.last-hooks"),
} as const;
type ExitEvent = keyof typeof REGISTRIES;

function createHooks(): ExitHooks {
  const hooks = new Set<ExitHook>();
  const listener = (): void => {
    for (const hook of hooks) {
      try {
        hook();
      } catch {
        // An error here would change the exit code of the application and skip the other hooks.
      }
    }
  };
  return { hooks, listener };
}

function addHook(event: ExitEvent, hook: ExitHook): () => void {
  const holder = globalThis as { [registry: symbol]: ExitHooks };
  const { hooks, listener } = (holder[REGISTRIES[event]] ??= createHooks());
  if (hooks.size === 0) process.on(event, listener);
  hooks.add(hook);
  return () => {
    hooks.delete(hook);
    if (hooks.size === 0) process.off(event, listener);
  };
}

/**
 * Runs a hook on `beforeExit`, when the event loop has run empty; a signal or `process.exit()` does not reach it.
 *
 * @returns A function that removes the hook.
 */
export const onNaturalExit = (hook: ExitHook): (() => void) => addHook("beforeExit", hook);

/**
 * Runs a hook on `exit`, the last event of a process, also after `process.exit()` and an uncaught exception: it
 * can't wait for anything. A signal that nobody listens to does not reach it.
 *
 * @returns A function that removes the hook.
 */
export const onExit = (hook: ExitHook): (() => void) => addHook("exit", hook);
