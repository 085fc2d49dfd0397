import { Connection, metadataV12 } from "@platformatic/kafka";

/** What one broker knows of its cluster. */
export type ClusterView = Pick<metadataV12.MetadataResponse, "brokers" | "topics">;

const TIMEOUT_MILLIS = 2000;

/**
 * Asks one broker what it knows, in one request: the clients of the library ask again by themselves, and ask others.
 *
 * @returns Nothing when it does not answer.
 */
export async function readClusterView(port: number): Promise<ClusterView | undefined> {
  const connection = new Connection("cluster-view", {
    connectTimeout: TIMEOUT_MILLIS,
    requestTimeout: TIMEOUT_MILLIS,
  });
  // What fails is known from the calls.
  connection.on("error", () => undefined);
  try {
    await connection.connect("127.0.0.1", port);
    return await metadataV12.api.async(connection, null, false, false);
  } catch {
    return undefined;
  } finally {
    await connection.close().catch(() => undefined);
  }
}
