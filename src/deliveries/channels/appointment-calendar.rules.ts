// Makes the calendar entry (iCalendar, RFC 5545) of a booked slot (contract 5.3).

export type Appointment = {
  /** The same in every mail about the booking, so that a calendar adds it once. */
  readonly uid: string;
  readonly startsAt: Date;
  /** Length; null if unknown: the entry then has no end. */
  readonly minutes: number | null;
  readonly summary: string;
  /** May have several lines. */
  readonly description: string;
  /** When the lead was sold, the same on every attempt. */
  readonly stampedAt: Date;
};

const MINUTE_MS = 60_000;
/** RFC 5545, 3.1: without the line break. */
const LINE_OCTETS = 75;

export function appointmentCalendar(appointment: Appointment): string {
  const { uid, startsAt, minutes, summary, description, stampedAt } = appointment;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//lead-marketplace//bookings//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${calendarText(uid)}`,
    `DTSTAMP:${utcStamp(stampedAt)}`,
    `DTSTART:${utcStamp(startsAt)}`,
    ...(minutes === null ? [] : [`DTEND:${utcStamp(new Date(startsAt.getTime() + minutes * MINUTE_MS))}`]),
    `SUMMARY:${calendarText(summary)}`,
    `DESCRIPTION:${calendarText(description)}`,
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** `20261123T173000Z` */
function utcStamp(at: Date): string {
  return at
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replaceAll(/[-:]/g, '');
}

/** A value of type TEXT: escapes separators and line breaks, and removes other control characters, which are not allowed. */
function calendarText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, '');
}

/** Folds into lines of at most 75 octets, each continuation with a leading space; never inside a character. */
function foldLine(line: string): string {
  const encoder = new TextEncoder();
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > LINE_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
