// Recognizes time zones: names that Node, the calendar library and a database know, in their canonical form, and the zone that an
// abbreviation such as PST means (contract 7.6).
import { Temporal } from './temporal.ts';

/** The canonical names that Node's list (CLDR) gives older ones, which a database without the aliases of the IANA does not know. */
const IANA_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** By zone, the abbreviations that people write for it. Node knows some of them, with other meanings: BST as Dhaka, AST as Anchorage. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  'Pacific/Honolulu': 'HST HDT HT',
  'Pacific/Pago_Pago': 'SST MIT',
  'America/Anchorage': 'AKST AKDT AKT',
  'America/Los_Angeles': 'PST PDT PT',
  'America/Denver': 'MST MDT MT',
  'America/Phoenix': 'PNT',
  'America/Chicago': 'CST CDT CT',
  'America/New_York': 'EST EDT ET',
  'America/Indiana/Indianapolis': 'IET',
  'America/Halifax': 'AST ADT AT',
  'America/Puerto_Rico': 'PRT',
  'America/St_Johns': 'NST NDT NT CNT',
  'America/Sao_Paulo': 'BRT BET',
  'America/Argentina/Buenos_Aires': 'ART AGT',
  'Europe/London': 'BST',
  'Europe/Lisbon': 'WEST',
  'Europe/Paris': 'CEST MEZ MESZ ECT',
  'Europe/Athens': 'EEST',
  'Europe/Moscow': 'MSK',
  'Africa/Lagos': 'WAT',
  'Africa/Maputo': 'CAT',
  'Africa/Johannesburg': 'SAST',
  'Africa/Nairobi': 'EAT',
  'Asia/Dubai': 'GST',
  'Asia/Yerevan': 'NET',
  'Asia/Karachi': 'PKT PLT',
  'Asia/Kolkata': 'IST',
  'Asia/Bangkok': 'ICT',
  'Asia/Ho_Chi_Minh': 'VST',
  'Asia/Shanghai': 'CTT',
  'Asia/Hong_Kong': 'HKT',
  'Asia/Manila': 'PHT',
  'Asia/Singapore': 'SGT',
  'Asia/Seoul': 'KST',
  'Asia/Tokyo': 'JST',
  'Australia/Perth': 'AWST',
  'Australia/Darwin': 'ACT',
  'Australia/Adelaide': 'ACST ACDT',
  'Australia/Sydney': 'AEST AEDT AET',
  'Pacific/Auckland': 'NZST NZDT',
};

const MEANT = new Map(
  Object.entries(ABBREVIATIONS).flatMap(([zone, names]) => names.split(' ').map((name) => [name, zone] as const)),
);

const ALL = new Set(Intl.supportedValuesOf('timeZone'));
/** Hours and no daylight time. Node's list leaves them and UTC out. */
const FIXED = /^(?:UTC|Etc\/GMT[+-]\d{1,2})$/;

/** What the names of configured accounts were found to be; bounded, because reports take any name. */
const KNOWN_MAX = 2000;
const known = new Map<string, string | null>();

/**
 * The canonical name of an IANA zone, by any of its names and in any case: `America/New_York` for `us/eastern`. Null for anything else, and
 * for abbreviations: EST is a name of the IANA, and means UTC−5 all year, which nobody who writes it means.
 */
export function canonicalTimeZone(name: string): string | null {
  return MEANT.has(name.toUpperCase()) ? null : lookUp(name);
}

export function isTimeZone(name: string): boolean {
  return canonicalTimeZone(name) !== null;
}

/**
 * The zone that a stored name stands for. Earlier releases stored names as written, abbreviations too: EST, MST and HST had days and months
 * by their fixed hours and keep them, and the others, by which nothing could be computed, have the zone that is meant. What is none stays.
 */
export function storedTimeZone(name: string): string {
  return lookUp(name) ?? MEANT.get(name.toUpperCase()) ?? name;
}

/** Why a name is none; null if it is one. */
export function timeZoneFault(name: string): string | null {
  if (isTimeZone(name)) return null;
  const meant = meantTimeZone(name);
  return `must be an IANA time zone${meant === null ? ', such as America/New_York' : ` (did you mean ${meant}?)`}`;
}

/** By an abbreviation, or by the last part of a name: `Los Angeles`. */
function meantTimeZone(name: string): string | null {
  const asName = name.trim().replaceAll(/\s+/g, '_').toLowerCase();
  const named = [...ALL, ...Object.values(IANA_NAMES)].find(
    (zone) => zone.toLowerCase().split('/').at(-1) === asName.split('/').at(-1),
  );
  return MEANT.get(name.trim().toUpperCase()) ?? (named === undefined ? null : lookUp(named));
}

/**
 * The zone by which a database has computed days under a name: PostgreSQL takes abbreviations for fixed hours, so they equal no zone.
 */
export function computedTimeZone(name: string): string {
  return canonicalTimeZone(name) ?? name;
}

function lookUp(name: string): string | null {
  let found = known.get(name);
  if (found === undefined) {
    found = ask(name);
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(name, found);
  }
  return found;
}

function ask(name: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    if (!ALL.has(timeZone) && !FIXED.test(timeZone)) return null;
    const zone = IANA_NAMES[timeZone] ?? timeZone;
    // Node knows abbreviations that the calendar library rejects.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
