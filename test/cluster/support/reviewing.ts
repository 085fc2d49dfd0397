import { randomUUID } from "node:crypto";
import { pause } from "../../collector/wait.ts";

interface Listed {
  readonly conversations: readonly { readonly key: string }[];
}

/** Sends a request until it is answered otherwise than with 5xx: replicas are killed meanwhile. */
async function insist(
  urls: readonly string[],
  path: string,
  body: object | undefined,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  const request =
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(`${urls[attempt % urls.length]}${path}`, request);
      if (response.status < 500) return { status: response.status, body: await response.json() };
      await response.body?.cancel();
    } catch {
      // The replica is gone: the other one is asked.
    }
    await pause(50);
  }
}

/**
 * Puts conversations into the queue and closes them, as a reviewer does who is sent to another replica with each request.
 *
 * @returns What ends it: it returns the conversations whose closing was answered with 200.
 */
export function startReviewing(urls: readonly string[]): () => Promise<readonly string[]> {
  const closed = new Set<string>();
  const known = new Set<string>();
  let isOver = false;
  let turn = 0;
  const next = (): readonly string[] => (++turn % 2 === 0 ? urls : urls.toReversed());
  const review = async (): Promise<void> => {
    while (!isOver) {
      const { body } = await insist(next(), "/api/conversations?limit=200", undefined);
      const key = (body as Listed).conversations.find((each) => !known.has(each.key))?.key;
      await pause(20);
      if (key === undefined) continue;
      known.add(key);
      await insist(next(), "/api/reviews", { key, comment: "for the test" });
      const outcome = { disposition: "acceptable", reasonCode: "approved_wording" };
      const path = `/api/reviews/${key}/actions`;
      const { status } = await insist(next(), path, { action: "close", ...outcome });
      if (status === 200) closed.add(key);
    }
  };
  const done = review();
  return async () => {
    isOver = true;
    await done;
    return [...closed];
  };
}
