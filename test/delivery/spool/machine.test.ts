import { describe, expect, it } from "vitest";
import { readMachine } from "../../../src/delivery/spool/machine.ts";

function machineWith(files: Record<string, string>, hostname = "host") {
  return readMachine({
    readFile: (path) => {
      const text = files[path];
      if (text === undefined) throw new Error("ENOENT");
      return text;
    },
    hostname: () => hostname,
  });
}

describe("readMachine", () => {
  it("gives the same machine each time, without telling its id", () => {
    const machine = readMachine();
    expect(machine).toEqual(readMachine());
    expect(machine.machineId).toMatch(/^[0-9a-f]{32}$/);
  });

  it("tells machines apart by their id and by their host name", () => {
    const ids = [
      machineWith({ "/etc/machine-id": "a\n" }),
      machineWith({ "/etc/machine-id": "b\n" }),
      machineWith({ "/etc/machine-id": "a\n" }, "other"),
      machineWith({}),
      machineWith({}, "other"),
    ].map(({ machineId }) => machineId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("reads the id of D-Bus where there is no other, or an empty one", () => {
    const { machineId } = machineWith({ "/etc/machine-id": "a" });
    expect(machineWith({ "/var/lib/dbus/machine-id": "a\n" }).machineId).toBe(machineId);
    const both = { "/etc/machine-id": "\n", "/var/lib/dbus/machine-id": "a" };
    expect(machineWith(both).machineId).toBe(machineId);
    const first = { "/etc/machine-id": "a", "/var/lib/dbus/machine-id": "b" };
    expect(machineWith(first).machineId).toBe(machineId);
  });

  it("knows the boot on Linux alone", () => {
    expect(machineWith({ "/proc/sys/kernel/random/boot_id": "boot\n" }).bootId).toBe("boot");
    expect(machineWith({}).bootId).toBeUndefined();
  });
});
