/** Paths below /api/ that need no permission to read: who signs in or out has no session yet, or no longer. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/api/login", "/api/login/start", "/api/logout"]);

/** Returns whether a path needs the permission to read. */
export function isForReaders(path: string): boolean {
  return path === "/metrics" || (path.startsWith("/api/") && !OPEN_PATHS.has(path));
}

/** Returns whether a path takes what SDKs and exporters send. */
export function isForSenders(path: string): boolean {
  return path.startsWith("/v1/");
}
