import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { UiAssets } from "../src/platform/ui-assets.ts";

const UI = join(import.meta.dirname, "../src/platform/ui");

/** Bundles the viewer's page into three texts. */
export async function buildUi(): Promise<UiAssets> {
  const { outputFiles } = await build({
    entryPoints: [join(UI, "main.ts"), join(UI, "app.css")],
    outdir: UI,
    write: false,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    logLevel: "silent",
  });
  const find = (extension: string): string => {
    const file = outputFiles.find(({ path }) => path.endsWith(extension));
    if (!file) throw new Error(`the viewer's bundle has no ${extension} file`);
    return file.text;
  };
  return {
    html: await readFile(join(UI, "index.html"), "utf8"),
    script: find(".js"),
    style: find(".css"),
  };
}

/** Puts the finished page in the place of the module that bundles it from source. */
export async function createUiPlugin(): Promise<Plugin> {
  const assets = JSON.stringify(await buildUi());
  return {
    name: "ui-assets",
    setup(builder) {
      let isReplaced = false;
      builder.onLoad({ filter: /[\\/]ui-assets\.[jt]s$/ }, () => {
        isReplaced = true;
        return {
          contents: `const assets = ${assets};\nexport const loadUiAssets = async () => assets;`,
          loader: "js",
        };
      });
      // A module that was renamed would leave the package without a page.
      builder.onEnd(() =>
        isReplaced ? undefined : { errors: [{ text: "expected a module ui-assets to replace" }] },
      );
    },
  };
}
