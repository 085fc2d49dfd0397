import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { nodeFileSystem, type FileSystem } from "./file-system.ts";

// Opening a FIFO would block for ever, and a link may lead anywhere. Windows has neither flag.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

function openForRead(path: string): number {
  const fd = openSync(path, READ_FLAGS);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw Object.assign(new Error("expected a file"), { code: "EINVAL" });
}

function refuse(): never {
  throw Object.assign(new Error("only looked at"), { code: "EROFS" });
}

/** A file system for who only looks: it opens nothing but files, and changes nothing. */
export const readOnlyFileSystem: FileSystem = {
  ...nodeFileSystem,
  openForRead,
  makeDirectory: refuse,
  openForAppend: refuse,
  append: refuse,
  truncate: refuse,
  rename: refuse,
  remove: refuse,
  removeDirectory: refuse,
};
