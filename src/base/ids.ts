// Creates and converts ids: UUIDv7 inside and in the database, TypeIDs (prefix and 26 base32 characters) on the wire (contract 1.3).
import { randomFillSync } from 'node:crypto';

export const idPrefixes = {
  lead: 'lead',
  delivery: 'dlv',
  return: 'ret',
  dispute: 'dsp',
  invoice: 'inv',
  receipt: 'rcp',
  transfer: 'txn',
  attempt: 'att',
  audit: 'aud',
  event: 'evt',
  key: 'key',
  token: 'tok',
  mail: 'mail',
  session: 'ses',
  simulation: 'sim',
  statement: 'stm',
  notice: 'ntc',
  view: 'view',
  listView: 'lvw',
  list: 'list',
  invitation: 'ivt',
  user: 'usr',
  file: 'file',
  replay: 'rpl',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** A UUIDv7 in its canonical lower-case text form, as `uuid` columns hold it. */
export type Uuid = string;

declare const kindOfId: unique symbol;

// The kinds exist for the compiler only: the id of a delivery does not pass for the id of a lead.
type Id<Kinds extends string> = Uuid & { readonly [kindOfId]: Readonly<Record<Kinds, true>> };

export type LeadId = Id<'lead'>;
export type DeliveryId = Id<'delivery'>;
export type ClaimId = Id<'claim'>;
export type InvoiceId = Id<'invoice'>;
export type ReceiptId = Id<'receipt'>;
export type TransferId = Id<'transfer'>;
export type AttemptId = Id<'attempt'>;
export type AuditId = Id<'audit'>;
export type CredentialId = Id<'credential'>;
export type SimulationId = Id<'simulation'>;
export type MailId = Id<'mail'>;
export type SessionId = Id<'session'>;
export type OperatorId = Id<'operator'>;
export type StatementId = Id<'statement'>;
export type NoticeId = Id<'notice'>;
export type ReportViewId = Id<'view'>;
export type ListViewId = Id<'listView'>;
export type ListId = Id<'list'>;
export type InvitationId = Id<'invitation'>;
export type UserId = Id<'user'>;
export type FileId = Id<'file'>;
export type ReplayId = Id<'replay'>;

/** Belongs to nothing yet, so it passes for an id of every kind. */
export type NewId = Id<
  | 'lead'
  | 'delivery'
  | 'claim'
  | 'invoice'
  | 'receipt'
  | 'transfer'
  | 'attempt'
  | 'audit'
  | 'credential'
  | 'simulation'
  | 'mail'
  | 'session'
  | 'operator'
  | 'statement'
  | 'notice'
  | 'view'
  | 'listView'
  | 'list'
  | 'invitation'
  | 'user'
  | 'file'
  | 'replay'
>;

export type IdOf = {
  readonly lead: LeadId;
  readonly delivery: DeliveryId;
  readonly return: ClaimId;
  readonly dispute: ClaimId;
  readonly invoice: InvoiceId;
  readonly receipt: ReceiptId;
  readonly transfer: TransferId;
  readonly attempt: AttemptId;
  readonly audit: AuditId;
  readonly event: Uuid;
  readonly key: CredentialId;
  readonly token: CredentialId;
  readonly mail: MailId;
  readonly session: SessionId;
  readonly simulation: SimulationId;
  readonly statement: StatementId;
  readonly notice: NoticeId;
  readonly view: ReportViewId;
  readonly listView: ListViewId;
  readonly list: ListId;
  readonly invitation: InvitationId;
  readonly user: UserId;
  readonly file: FileId;
  readonly replay: ReplayId;
};

// Crockford's alphabet in lower case, as the TypeID specification fixes it.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SUFFIX_PATTERN = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const VALUES = new Map([...ALPHABET].map((character, value) => [character, BigInt(value)]));

/** Creates a time-ordered id. The ids of one process strictly increase, also within a millisecond and when the clock is set back. */
export function newUuid(): NewId {
  const now = Date.now();
  if (now > lastMs) {
    startMillisecond(now);
    // A random start below half leaves room to count: 2,048 ids per millisecond are more than any process makes.
    counter = randomWord() & 0x7ff;
  } else if (counter < 0xfff) {
    counter += 1;
  } else {
    startMillisecond(lastMs + 1);
    counter = 0;
  }
  const variant = 0x8000 | (randomWord() & 0x3fff);
  return `${timePart}-${fourDigits(0x7000 | counter)}-${fourDigits(variant)}-${fourDigits(randomWord())}${fourDigits(randomWord())}${fourDigits(randomWord())}` as NewId;
}

let lastMs = 0;
let timePart = '';
let counter = 0;
// One call for many ids: getting 8 random bytes at a time costs more than everything else here.
const pool = new Uint16Array(2048);
let poolAt = pool.length;

function startMillisecond(ms: number): void {
  lastMs = ms;
  const time = ms.toString(16).padStart(12, '0');
  timePart = `${time.slice(0, 8)}-${time.slice(8)}`;
}

function randomWord(): number {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  poolAt += 1;
  return pool[poolAt - 1] ?? 0;
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function fourDigits(word: number): string {
  return `${BYTES[word >>> 8]}${BYTES[word & 0xff]}`;
}

// Two characters at a time: ten bits.
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >>> 5]}${ALPHABET[bits & 31]}`);

/** `typeId('lead', uuid)` → `lead_01jd…`. */
export function typeId<Kind extends IdKind>(kind: Kind, uuid: IdOf[Kind]): string {
  const digits = uuid.replaceAll('-', '');
  // 26 characters hold 130 bits, two more than there are: the first pair has eight, every five digits after it make two pairs.
  let suffix = PAIRS[Number.parseInt(digits.slice(0, 2), 16)] ?? '';
  for (let at = 2; at < 32; at += 5) {
    const bits = Number.parseInt(digits.slice(at, at + 5), 16);
    suffix += `${PAIRS[bits >>> 10]}${PAIRS[bits & 1023]}`;
  }
  return `${idPrefixes[kind]}_${suffix}`;
}

/** The uuid of a TypeID of this kind; null for any other text, so that a malformed id is treated like an unknown one. */
export function uuidOf<Kind extends IdKind>(kind: Kind, text: string): IdOf[Kind] | null {
  const prefix = `${idPrefixes[kind]}_`;
  if (!text.startsWith(prefix)) return null;
  const suffix = text.slice(prefix.length);
  if (!SUFFIX_PATTERN.test(suffix)) return null;
  let value = 0n;
  for (const character of suffix) value = (value << 5n) | (VALUES.get(character) ?? 0n);
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as IdOf[Kind];
}
