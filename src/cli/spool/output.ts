import { once } from "node:events";
import { rmSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { toErrorCode } from "../../delivery/spool/file-system.ts";
import { SpoolCommandError } from "./arguments.ts";

const FILE_MODE = 0o600;
const CHUNK_BYTES = 256 * 1024;
const LINE_BREAK = Buffer.from("\n");

/** Takes lines, and waits while whoever reads them is slower. */
export interface LineOutput {
  write(line: Uint8Array): Promise<void>;
  /** Resolves once everything is out, and safe if it is a file. */
  close(): Promise<void>;
  /** Removes the file that was begun, if it is one. */
  abandon(): Promise<void>;
}

interface Target {
  write(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abandon(): Promise<void>;
}

function openStandardOutput(): Target {
  const { stdout } = process;
  let failure: unknown;
  stdout.on("error", (error) => (failure = error));
  return {
    async write(chunk) {
      if (failure === undefined && !stdout.write(chunk)) {
        await once(stdout, "drain").catch((error: unknown) => (failure = error));
      }
      if (failure !== undefined) throw new SpoolCommandError("the standard output was closed");
    },
    close: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
  };
}

async function openFile(path: string, option: string): Promise<Target> {
  let file: FileHandle;
  try {
    // Exclusive: a link or a file that is there is not written to.
    file = await open(path, "wx", FILE_MODE);
  } catch (error) {
    const code = toErrorCode(error);
    const problem = code === "EEXIST" ? "is there already" : `can't be made (${code})`;
    throw new SpoolCommandError(`--${option}: the file ${problem}`);
  }
  return {
    write: (chunk) => file.appendFile(chunk),
    async close() {
      await file.sync();
      await file.close();
    },
    async abandon() {
      await file.close();
      rmSync(path, { force: true });
    },
  };
}

/**
 * Opens a new file, or the standard output when there is no path.
 *
 * @param option - Name of the option that names the file, for messages.
 * @throws SpoolCommandError
 */
export async function openOutput(path: string | undefined, option = "out"): Promise<LineOutput> {
  const target = path === undefined ? openStandardOutput() : await openFile(path, option);
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const drain = async (): Promise<void> => {
    const chunk = Buffer.concat(parts);
    parts = [];
    bytes = 0;
    if (chunk.length > 0) await target.write(chunk);
  };
  return {
    async write(line) {
      parts.push(line, LINE_BREAK);
      bytes += line.length + LINE_BREAK.length;
      if (bytes >= CHUNK_BYTES) await drain();
    },
    async close() {
      await drain();
      await target.close();
    },
    abandon: () => target.abandon(),
  };
}
