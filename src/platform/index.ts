// The local platform: takes what the SDK delivers, keeps it in SQLite and shows it in a browser.
// It may import the vocabulary (`events`, `util`) only, and the SDK never imports it.
export { DEFAULT_PLATFORM_PORT } from "./options.ts";
export type { Platform, PlatformOptions, PlatformStats } from "./options.ts";
export { startPlatform } from "./start-platform.ts";
