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

/** Reads the comments of the audit trail. */
export async function readComments(url: string): Promise<string[]> {
  const response = await fetch(`${url}/api/audit/export`);
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  return lines.flatMap((line) => {
    const { detail } = JSON.parse(line) as { readonly detail: string };
    return (JSON.parse(detail) as { readonly comment?: string }).comment ?? [];
  });
}

/**
 * Puts a conversation into the queue and writes comments on it, as a reviewer does who is sent to another replica with each
 * request.
 *
 * @returns What ends it: it returns the comments that were answered with 200.
 */
export function startReviewing(urls: readonly string[]): () => Promise<readonly string[]> {
  const written: string[] = [];
  const stop = new AbortController();
  let turn = 0;
  const ask = (path: string, body?: object) =>
    insist(++turn % 2 === 0 ? urls : urls.toReversed(), path, body);
  const findKey = async (): Promise<string | undefined> => {
    const { body } = await ask("/api/conversations?limit=1");
    return (body as Listed).conversations[0]?.key;
  };
  const review = async (): Promise<void> => {
    let key: string | undefined;
    while (!stop.signal.aborted && key === undefined) key = await findKey();
    if (key === undefined) return;
    await ask("/api/reviews", { key, comment: "for the test" });
    while (!stop.signal.aborted) {
      const comment = `comment ${written.length}`;
      const { status } = await ask(`/api/reviews/${key}/actions`, { action: "comment", comment });
      if (status === 200) written.push(comment);
      await pause(50);
    }
  };
  const done = review();
  return async () => {
    stop.abort();
    await done;
    return written;
  };
}
