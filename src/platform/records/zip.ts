// A ZIP archive of stored entries: what is in it can be read at its place, and no library is needed. @see APPNOTE.TXT 6.3, PKWARE

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const STORED = 0;
const MAX_BYTES = 0xffff_ffff;
const MAX_ENTRIES = 0xffff;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Computes the CRC-32 of an archive's entry; `zlib.crc32` needs Node.js 22. */
function toCrc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Writes a time as MS-DOS does, in UTC and to two seconds. */
function toDosTime(millis: number): readonly [time: number, date: number] {
  const at = new Date(Math.min(Math.max(millis, Date.UTC(1980, 0)), Date.UTC(2107, 11, 31)));
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const years = at.getUTCFullYear() - 1980;
  return [time, (years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()];
}

/** Starts an archive. @param at - Time of its entries, in ms since the Unix epoch. */
export function createZip(at: number) {
  const [time, date] = toDosTime(at);
  const directory: Buffer[] = [];
  let offset = 0;
  return {
    /** Returns the bytes of the next entry. @throws RangeError where the archive would be larger than the format allows. */
    add(name: string, data: Uint8Array): Buffer {
      const nameBytes = Buffer.from(name);
      const common = Buffer.alloc(26);
      common.writeUInt16LE(VERSION, 0);
      common.writeUInt16LE(UTF8_NAMES, 2);
      common.writeUInt16LE(STORED, 4);
      common.writeUInt16LE(time, 6);
      common.writeUInt16LE(date, 8);
      common.writeUInt32LE(toCrc32(data), 10);
      common.writeUInt32LE(data.length, 14);
      common.writeUInt32LE(data.length, 18);
      common.writeUInt16LE(nameBytes.length, 22);
      const local = Buffer.alloc(4);
      local.writeUInt32LE(LOCAL_HEADER, 0);
      const central = Buffer.alloc(6);
      central.writeUInt32LE(CENTRAL_HEADER, 0);
      central.writeUInt16LE(VERSION, 4);
      const rest = Buffer.alloc(14);
      rest.writeUInt32LE(offset, 10);
      directory.push(Buffer.concat([central, common, rest, nameBytes]));
      const entry = Buffer.concat([local, common, nameBytes, data]);
      offset += entry.length;
      if (offset > MAX_BYTES || directory.length > MAX_ENTRIES)
        throw new RangeError(
          "the archive would be larger than 4 GiB, or have more than 65,535 files",
        );
      return entry;
    },
    /** Returns the bytes behind the last entry. */
    finish(): Buffer {
      const entries = Buffer.concat(directory);
      const end = Buffer.alloc(22);
      end.writeUInt32LE(END_RECORD, 0);
      end.writeUInt16LE(directory.length, 8);
      end.writeUInt16LE(directory.length, 10);
      end.writeUInt32LE(entries.length, 12);
      end.writeUInt32LE(offset, 16);
      return Buffer.concat([entries, end]);
    },
  };
}
