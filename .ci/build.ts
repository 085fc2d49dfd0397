// Builds the package into dist: the compiled phrases of the rules, ES modules, the CommonJS copy, then the entry and
// the local platform as one file each, and declarations without zod.
// Says nothing unless it fails, so that a program can be run behind it: npm run -s build && ...
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";

/** Runs a program of node_modules/.bin, which npm puts on the path; rejects with what it wrote. */
function run(command: string, ...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, args, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`build: ${command} ${args.join(" ")} failed\n${stdout}${stderr}`));
    });
  });
}

try {
  rmSync("dist", { recursive: true, force: true });
  await run("tsx", ".ci/compile-packs.ts");
  await Promise.all([
    run("tsc", "-p", "tsconfig.build.json"),
    run("tsc", "-p", "tsconfig.cjs.json"),
  ]);
  writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
  await run("tsx", ".ci/inline-names.ts");
  await Promise.all([run("tsx", ".ci/build-entry.ts"), run("tsx", ".ci/build-platform.ts")]);
  // Behind the platform, which removes declarations that nobody can reach.
  await run("tsx", ".ci/build-declarations.ts");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
