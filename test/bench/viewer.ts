import { gzipSync } from "node:zlib";
import { startPlatform } from "agent-monitor/platform";

const PARTS = ["/", "/ui/app.js", "/ui/app.css"];

/** Measures the size of the whole viewer as it goes over the wire with gzip. */
export async function benchViewer(): Promise<{ gzipKb: number }> {
  const platform = await startPlatform({ port: 0 });
  let bytes = 0;
  for (const part of PARTS) {
    const response = await fetch(platform.url + part);
    bytes += gzipSync(Buffer.from(await response.arrayBuffer())).length;
  }
  await platform.close();
  return { gzipKb: bytes / 1024 };
}
