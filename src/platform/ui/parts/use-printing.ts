/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";

/** Returns whether the page is being printed, so that it can show all that it folds on a screen. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const paper = matchMedia("print");
    const update = (): void => setPrinting(paper.matches);
    const begin = (): void => setPrinting(true);
    paper.addEventListener("change", update);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", update);
    return () => {
      paper.removeEventListener("change", update);
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", update);
    };
  }, []);
  return isPrinting;
}
