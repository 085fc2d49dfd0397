/// <reference lib="dom" />
import { useState } from "preact/hooks";

/** Does what a person asks for, one thing at a time, and keeps why the last one failed. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  /** @param field - Has the focus where it failed: a button that is disabled meanwhile has lost it. */
  const run = async (work: () => Promise<void>, field?: Element | null): Promise<void> => {
    setBusy(true);
    setFailure("");
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "unknown");
      if (field instanceof HTMLElement) field.focus();
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}
