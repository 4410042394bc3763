// Makes the text message of a delivery: reference, name, phone and appointment, in one SMS if possible (contract 5.4).
import type { Parcel } from './channel.ts';

/** The alphabet of GSM 03.38 without escaped characters: one SMS has 160 of these. */
const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each of these counts as two. */
const GSM_ESCAPED = '\f^{}\\[~]|€';
const GSM_LENGTH = 160;
/** One character outside of that alphabet makes the whole text UTF-16: 70 units in one SMS, too few for a booking; 67 in each of two. */
const UTF16_LENGTH = 134;

const COSTS = new Map([
  ...[...GSM_BASIC].map((letter) => [letter, 1] as const),
  ...[...GSM_ESCAPED].map((letter) => [letter, 2] as const),
]);

/**
 * `timeZone` is the partner's. A name that is too long is cut, the rest never is. Contains no data of the contact but name and phone.
 */
export function smsText({ isTest, delivery }: Pick<Parcel, 'isTest' | 'delivery'>, timeZone: string): string {
  const { deliveryRef, eventType, lead, appointmentAt } = delivery;
  const before = `${isTest ? '[TEST] ' : ''}${deliveryRef} ${eventType}: `;
  const phone = lead.phone === null ? '' : ` ${lead.phone}`;
  const after = appointmentAt === undefined ? phone : `${phone}, ${timeText(new Date(appointmentAt), timeZone)}`;
  // A stored name may contain line breaks, which could look like another message.
  const name = lead.fullName.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return `${before}${fitted(name, `${before}${after}`)}${after}`;
}

/** e.g. `Mon Nov 23, 9:30 AM PST`. Assembled from parts: the locale's own format has spaces that GSM lacks. */
function timeText(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZoneName: 'short',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const day = `${part('weekday')} ${part('month')} ${part('day')}`;
  return `${day}, ${part('hour')}:${part('minute')} ${part('dayPeriod')} ${part('timeZoneName')}`;
}

/** The name, cut and marked with an ellipsis if it does not fit beside the rest. */
function fitted(name: string, rest: string): string {
  const isGsm = [...name, ...rest].every((letter) => COSTS.has(letter));
  const costOf = (text: string): number =>
    isGsm ? [...text].reduce((sum, letter) => sum + (COSTS.get(letter) ?? 0), 0) : text.length;
  const room = (isGsm ? GSM_LENGTH : UTF16_LENGTH) - costOf(rest);
  if (costOf(name) <= room) return name;
  // GSM has no ellipsis: one would make the whole text UTF-16.
  const mark = isGsm ? '...' : '…';
  let kept = '';
  let left = room - mark.length;
  for (const letter of name) {
    left -= costOf(letter);
    if (left < 0) break;
    kept += letter;
  }
  return `${kept.trimEnd()}${mark}`;
}
