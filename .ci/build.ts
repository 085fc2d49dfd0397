// Builds the package into dist: the compiled phrases of the rules, the modules, what they are joined into, the local platform
// as one file, and the declarations.
// Says nothing unless it fails, so that a program can be run behind it: npm run -s build && ...
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";

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
  for (const folder of ["dist", "temp/modules"]) rmSync(folder, { recursive: true, force: true });
  await run("tsx", ".ci/compile-packs.ts");
  await run("tsc", "-p", "tsconfig.build.json");
  await run("tsx", ".ci/inline-names.ts");
  mkdirSync("dist/cjs", { recursive: true });
  writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
  await Promise.all([
    run("tsx", ".ci/build-code.ts"),
    run("tsx", ".ci/build-command.ts"),
    run("tsx", ".ci/build-platform.ts"),
    run("tsx", ".ci/build-declarations.ts"),
  ]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
