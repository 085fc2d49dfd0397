import { spawn } from "node:child_process";

/** Programs that open an address in the default browser. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // The empty one is the title of a window, for which an address in quotes would be taken.
  win32: ["cmd", "/c", "start", ""],
};
const DEFAULT_OPENER = ["xdg-open"];
/** A program that runs that long has opened it, or waits for the browser to end. */
const WAIT_MILLIS = 2000;

/**
 * Opens an address in the default browser.
 *
 * @param opener - The program and its arguments, instead of that of the operating system.
 * @returns Why it could not be opened; `undefined` if it was. Never rejects.
 */
export function openBrowser(
  url: string,
  opener: readonly string[] = OPENERS[process.platform] ?? DEFAULT_OPENER,
): Promise<string | undefined> {
  const [program = "", ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
    const timer = setTimeout(() => resolve(undefined), WAIT_MILLIS);
    const finish = (problem: string | undefined): void => {
      clearTimeout(timer);
      resolve(problem);
    };
    child.on("error", (error) =>
      finish(`${program} can't be run (${"code" in error ? String(error.code) : "unknown"})`),
    );
    child.on("exit", (code) => finish(code === 0 ? undefined : `${program} failed`));
    child.unref();
  });
}
