// Encodes arrays for PostgreSQL's binary protocol, for batches whose quoting and parsing would cost more than their insert.
// `pg` sends a Buffer parameter in binary format; the statement names the type with a cast such as `$1::uuid[]`.

const OID = { bool: 16, bytea: 17, int8: 20, int2: 21, text: 25, timestamptz: 1184, uuid: 2950 } as const;
/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

type Items<Item> = ReadonlyArray<Item | null>;

export function uuidArray(items: Items<string>): Buffer {
  const buffer = fixedArray(OID.uuid, items.length, items.length * 20);
  return writeFixed(buffer, items, 16, (item, start) => {
    // Skips the dashes by position, because removing them first costs five times as much.
    let offset = start;
    for (let at = 0; at < 36; at += 2) {
      if (at === 8 || at === 13 || at === 18 || at === 23) at += 1;
      buffer[offset] = (digit(item, at) << 4) | digit(item, at + 1);
      offset += 1;
    }
  });
}

/** The value of a hexadecimal digit; letters are lowercase. */
function digit(item: string, at: number): number {
  const code = item.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
}

export function boolArray(items: Items<boolean>): Buffer {
  const buffer = fixedArray(OID.bool, items.length, items.length * 5);
  return writeFixed(buffer, items, 1, (item, offset) => buffer.writeUInt8(item ? 1 : 0, offset));
}

export function int2Array(items: Items<number>): Buffer {
  const buffer = fixedArray(OID.int2, items.length, items.length * 6);
  return writeFixed(buffer, items, 2, (item, offset) => buffer.writeInt16BE(item, offset));
}

/** Safe integers, or decimal text for values that may be larger. */
export function int8Array(items: Items<number | string>): Buffer {
  const buffer = fixedArray(OID.int8, items.length, items.length * 12);
  return writeFixed(buffer, items, 8, (item, offset) => {
    if (typeof item === 'string') buffer.writeBigInt64BE(BigInt(item), offset);
    else writeInteger(buffer, item, offset);
  });
}

export function timestamptzArray(items: Items<Date>): Buffer {
  const buffer = fixedArray(OID.timestamptz, items.length, items.length * 12);
  return writeFixed(buffer, items, 8, (item, offset) => {
    // Whole microseconds of any date in use are a safe integer.
    writeInteger(buffer, (item.getTime() - POSTGRES_EPOCH_MS) * 1000, offset);
  });
}

/** Writes a safe integer as eight bytes; a BigInt for each would cost more than everything else here. */
function writeInteger(buffer: Buffer, value: number, offset: number): void {
  const high = Math.floor(value / 2 ** 32);
  buffer.writeInt32BE(high, offset);
  buffer.writeUInt32BE(value - high * 2 ** 32, offset + 4);
}

/** Each character is one byte (latin1). */
export function byteaArray(items: Items<string>): Buffer {
  const total = items.reduce((sum, item) => sum + 4 + (item === null ? 0 : item.length), 0);
  const buffer = fixedArray(OID.bytea, items.length, total);
  let offset = HEADER_BYTES;
  for (const item of items) {
    offset = buffer.writeInt32BE(item === null ? NULL_LENGTH : item.length, offset);
    if (item !== null) offset += buffer.write(item, offset, 'latin1');
  }
  return buffer;
}

export function textArray(items: Items<string>): Buffer {
  // Measured first, so that no byte too many is allocated: memory outside the heap makes the garbage collector run sooner.
  const lengths = items.map((item) => (item === null ? NULL_LENGTH : Buffer.byteLength(item)));
  const total = lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), 0);
  const buffer = fixedArray(OID.text, items.length, total);
  let offset = HEADER_BYTES;
  items.forEach((item, index) => {
    offset = buffer.writeInt32BE(lengths[index] ?? NULL_LENGTH, offset);
    if (item !== null) offset += buffer.write(item, offset, 'utf8');
  });
  return buffer;
}

function fixedArray(elementOid: number, length: number, bodyBytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + bodyBytes);
  // An empty array has no dimension; one dimension of length 0 has the same meaning and needs no special case.
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(elementOid, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}

function writeFixed<Item>(
  buffer: Buffer,
  items: Items<Item>,
  size: number,
  write: (item: Item, offset: number) => void,
): Buffer {
  let offset = HEADER_BYTES;
  for (const item of items) {
    offset = buffer.writeInt32BE(item === null ? NULL_LENGTH : size, offset);
    if (item !== null) {
      write(item, offset);
      offset += size;
    }
  }
  return buffer.subarray(0, offset);
}
