/** Called when the event loop has run empty and the process is about to end by itself. */
export type ExitHook = () => void;

interface ExitHooks {
  readonly hooks: Set<ExitHook>;
  readonly listener: () => void;
}

// The ESM and the CommonJS build of one process share one listener.
const REGISTRY = Symbol.for("agent-monitor.exit-hooks");

function sharedHooks(): ExitHooks {
  const holder = globalThis as { [REGISTRY]?: ExitHooks };
  let shared = holder[REGISTRY];
  if (!shared) {
    const hooks = new Set<ExitHook>();
    shared = {
      hooks,
      listener: () => {
        for (const hook of hooks) {
          try {
            hook();
          } catch {
            // Thrown here, it would change the exit code of the application and skip the other hooks.
          }
        }
      },
    };
    holder[REGISTRY] = shared;
  }
  return shared;
}

/**
 * Runs a hook on `beforeExit`; a signal or `process.exit()` does not reach it.
 *
 * @returns Removes the hook.
 */
export function onNaturalExit(hook: ExitHook): () => void {
  const { hooks, listener } = sharedHooks();
  if (hooks.size === 0) process.on("beforeExit", listener);
  hooks.add(hook);
  return () => {
    hooks.delete(hook);
    if (hooks.size === 0) process.off("beforeExit", listener);
  };
}
