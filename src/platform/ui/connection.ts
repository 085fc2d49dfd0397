/// <reference lib="dom" />
import { useState } from "preact/hooks";
import type { PlatformStats } from "../options.ts";
import { ApiError, loadStats, usePolling } from "./api.ts";

/** State of the connection between the page and the platform. */
export type ConnectionState = "loading" | "ready" | "unauthorized" | "offline";

/** Asks for the platform's counts again and again: they show whether it responds, and to whom. */
export function useConnection() {
  const [state, setState] = useState<ConnectionState>("loading");
  const [stats, setStats] = useState<PlatformStats>();
  const [attempt, setAttempt] = useState(0);
  usePolling(
    async (isCurrent) => {
      try {
        const counts = await loadStats();
        if (!isCurrent()) return;
        setStats(counts);
        setState("ready");
      } catch (error) {
        if (!isCurrent()) return;
        setState(error instanceof ApiError && error.status === 401 ? "unauthorized" : "offline");
      }
    },
    [attempt],
  );
  return {
    state,
    stats,
    /** Asks again at once, after a token was entered. */
    retry: () => setAttempt(attempt + 1),
  };
}
