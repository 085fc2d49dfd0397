// Has a file of the package take from the shared code what stands there. See docs/decisions/0031-one-shared-file.md.
import { join, posix } from "node:path";
import type { Plugin } from "esbuild";
import { DIST, toName } from "./build-options.ts";
import { findHolder, isShared, MAIN, readModule } from "./module-owners.ts";

const GIVEN = "given";

/** Returns where another file finds a module of the shared code, which is `$shared` there. */
export function toPlace(name: string): string {
  const holder = findHolder(name);
  if (holder === undefined) throw new Error(`no file holds ${name}`);
  const place = holder === MAIN ? "$shared" : `$shared.parts.${holder}()`;
  return `${place}.modules[${JSON.stringify(name)}]`;
}

/** Has a file take what is shared from its instance of the code. */
export function takeFromInstance(file: string, format: "esm" | "cjs"): Plugin {
  const relativePath = posix.relative(posix.dirname(file), "instance.js");
  const beside = relativePath.startsWith(".") ? relativePath : `./${relativePath}`;
  const path = format === "esm" ? "#instance" : beside;
  return {
    name: "take-from-instance",
    setup(builder) {
      builder.onResolve({ filter: /^[.#]/ }, ({ path: given, resolveDir, kind }) => {
        if (kind === "entry-point") return undefined;
        if (given === path) return { path, external: true };
        const name = toName(join(resolveDir, given));
        return isShared(name) ? { path: name, namespace: GIVEN } : undefined;
      });
      builder.onLoad({ filter: /./, namespace: GIVEN }, async ({ path: name }) => {
        const lines = Object.keys(await readModule(name)).map(
          (key) => `export const ${key} = held.${key};\n`,
        );
        return {
          contents: `import $shared from "${path}";\nconst held = ${toPlace(name)};\n${lines.join("")}`,
          resolveDir: DIST,
        };
      });
    },
  };
}
