import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** One copy of a package of OpenTelemetry in an application. */
export interface OtelCopy {
  readonly name: string;
  readonly version: string;
  /** Folder of it, from the application's. */
  readonly path: string;
}

/** Finds all copies, wherever they are nested. */
export function findOtelCopies(app: string): OtelCopy[] {
  return readdirSync(app, { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name === "package.json" && isPackage(parentPath))
    .map(({ name, parentPath }) => {
      const manifest = JSON.parse(readFileSync(join(parentPath, name), "utf8")) as OtelCopy;
      return { ...pick(manifest), path: relative(app, parentPath) };
    });
}

const isPackage = (directory: string): boolean =>
  /node_modules[\\/]@opentelemetry[\\/][^\\/]+$/.test(directory);

function pick({ name, version }: OtelCopy): { name: string; version: string } {
  return { name, version };
}

/** Gives the copies of one list that the other does not have. */
export function findAdded(before: readonly OtelCopy[], after: readonly OtelCopy[]): OtelCopy[] {
  const toKey = ({ name, version }: OtelCopy): string => `${name}@${version}`;
  const known = before.map(toKey);
  return after.filter((copy) => {
    const index = known.indexOf(toKey(copy));
    if (index !== -1) known.splice(index, 1);
    return index === -1;
  });
}
