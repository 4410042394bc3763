// Arrays as PostgreSQL's binary protocol wants them: for batches whose quoting and parsing would cost more than their insert.
// `pg` sends a Buffer parameter in binary format; the statement names the type with a cast such as `$1::uuid[]`.

const OID = { bool: 16, int2: 21, text: 25, bytea: 17, timestamptz: 1184, uuid: 2950 } as const;
/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

type Items<Item> = ReadonlyArray<Item | null>;

export function uuidArray(items: Items<string>): Buffer {
  const buffer = fixedArray(OID.uuid, items.length, items.length * 20);
  return writeFixed(buffer, items, 16, (item, offset) => {
    buffer.write(item.replaceAll('-', ''), offset, 16, 'hex');
  });
}

export function boolArray(items: Items<boolean>): Buffer {
  const buffer = fixedArray(OID.bool, items.length, items.length * 5);
  return writeFixed(buffer, items, 1, (item, offset) => buffer.writeUInt8(item ? 1 : 0, offset));
}

export function int2Array(items: Items<number>): Buffer {
  const buffer = fixedArray(OID.int2, items.length, items.length * 6);
  return writeFixed(buffer, items, 2, (item, offset) => buffer.writeInt16BE(item, offset));
}

export function timestamptzArray(items: Items<Date>): Buffer {
  const buffer = fixedArray(OID.timestamptz, items.length, items.length * 12);
  return writeFixed(buffer, items, 8, (item, offset) => {
    buffer.writeBigInt64BE(BigInt(item.getTime() - POSTGRES_EPOCH_MS) * 1000n, offset);
  });
}

export function byteaArray(items: Items<Buffer>): Buffer {
  const total = items.reduce((sum, item) => sum + 4 + (item === null ? 0 : item.length), 0);
  const buffer = fixedArray(OID.bytea, items.length, total);
  let offset = HEADER_BYTES;
  for (const item of items) {
    offset = buffer.writeInt32BE(item === null ? NULL_LENGTH : item.length, offset);
    if (item !== null) offset += item.copy(buffer, offset);
  }
  return buffer;
}

export function textArray(items: Items<string>): Buffer {
  // UTF-8 takes at most three bytes for each UTF-16 unit: one pass instead of measuring each text first.
  const bound = items.reduce((sum, item) => sum + 4 + (item === null ? 0 : item.length * 3), 0);
  const buffer = fixedArray(OID.text, items.length, bound);
  let offset = HEADER_BYTES;
  for (const item of items) {
    if (item === null) {
      offset = buffer.writeInt32BE(NULL_LENGTH, offset);
    } else {
      const written = buffer.write(item, offset + 4, 'utf8');
      buffer.writeInt32BE(written, offset);
      offset += 4 + written;
    }
  }
  return buffer.subarray(0, offset);
}

function fixedArray(elementOid: number, length: number, bodyBytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + bodyBytes);
  // An empty array has no dimension; a one-dimensional one of length 0 reads the same and saves the special case.
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
