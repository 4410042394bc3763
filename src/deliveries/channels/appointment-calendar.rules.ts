// The calendar entry of a booked slot, as calendars of all kinds read it (contract 5.3; RFC 5545).

export type Appointment = {
  /** The same for every mail about it, so that a calendar takes it once. */
  readonly uid: string;
  readonly startsAt: Date;
  /** Length; null where it is not known: the entry is then a moment. */
  readonly minutes: number | null;
  readonly summary: string;
  /** May have several lines. */
  readonly description: string;
  /** When this was decided, which is the same on every attempt. */
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

/** A value of type TEXT: what would end it, or the line, is escaped; other controls are not allowed at all. */
function calendarText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, '');
}

/** Lines of 75 octets at most, the later ones with a space in front; no character is cut through. */
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
