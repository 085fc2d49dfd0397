import { useEffect, useState } from "preact/hooks";
import { loadMe, type Me } from "../review/review-api.ts";

/** Returns who works with the page, once that is known. */
export function useMe(): Me | undefined {
  const [me, setMe] = useState<Me>();
  useEffect(() => {
    void loadMe()
      .then(setMe)
      .catch(() => undefined);
  }, []);
  return me;
}

/** Returns whether somebody may do what a supervisor may. */
export function isSupervisor(me: Me | undefined): me is Me {
  return me?.role === "supervisor" || me?.role === "admin";
}
