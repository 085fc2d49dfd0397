import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { createUiPlugin } from "../../../.ci/build-ui.ts";
import { npmInstall, toNodePackage, writeManifest } from "../../helpers/npm.ts";

const SOURCE = join(import.meta.dirname, "../../../src/cli.ts");
/** Needed by none of what is tried here. */
const LEFT_OUT = ["pg", "node-sqlite3-wasm"];

/** The command, and a Node.js to run it. */
export interface Program {
  readonly execPath: string;
  readonly file: string;
}

/** The command in a project of its own. */
export interface NewerCommand extends Program {
  remove(): void;
}

/** Installs Node.js 24 and version 2 of Kafka's client, which needs it, into a project in the temporary directory, with the command. */
export async function installNewerCommand(): Promise<NewerCommand> {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-newer-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const nodePackage = toNodePackage();
    const dependencies = { [nodePackage]: "^24.9.0", "@platformatic/kafka": "^2.0.0" };
    writeManifest(directory, { dependencies });
    await npmInstall(directory, process.execPath);
    await build({
      entryPoints: { cli: SOURCE },
      outdir: directory,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      platform: "node",
      target: "node24",
      format: "esm",
      external: ["@platformatic/kafka", ...LEFT_OUT],
      // Packages in CommonJS call it.
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
      plugins: [await createUiPlugin()],
      logLevel: "error",
    });
    const execPath = join(directory, "node_modules", nodePackage, "bin/node");
    return { execPath, file: join(directory, "cli.mjs"), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
