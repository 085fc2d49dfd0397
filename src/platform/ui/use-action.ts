import { useState } from "preact/hooks";

/** Does what a person asks for, one thing at a time, and keeps why the last one failed. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure("");
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "unknown");
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}
