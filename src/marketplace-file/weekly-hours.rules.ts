// Reads opening hours and bookable hours: days of the week with times from and to (contract 7.6).
import { weekdays, type WeeklyHours } from '../routing/offer.ts';
import {
  addFault,
  inOrderOf,
  itemsOf,
  readMembers,
  readOneOf,
  readSet,
  required,
  type Spot,
} from './read-tree.rules.ts';

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const MIDNIGHT_AT_THE_END = 1440;

/** One such entry or a list of them. */
export function readWeeklyHours(spot: Spot): WeeklyHours[] {
  if (spot.tree.kind === 'map') return [readEntry(spot)];
  const items = itemsOf(spot);
  if (spot.tree.kind === 'list' && items.length === 0) addFault(spot, 'must not be an empty list');
  return items.map(readEntry);
}

/** The same where no two entries may cover one minute. */
export function readDisjointHours(spot: Spot): WeeklyHours[] {
  const entries = readWeeklyHours(spot);
  for (const [index, entry] of entries.entries()) {
    const earlier = entries.slice(0, index).findIndex((other) => overlap(entry, other));
    // Only a list has a second entry.
    if (earlier !== -1) addFault(itemsOf(spot)[index] ?? spot, `overlaps with entry ${earlier + 1} of this list`);
  }
  return entries;
}

function readEntry(spot: Spot): WeeklyHours {
  const members = readMembers(spot, ['days', 'from', 'to']);
  const days = required(members, 'days', readSet(readOneOf(weekdays), inOrderOf(weekdays)));
  const fromMinute = required(members, 'from', readTime);
  const toMinute = required(members, 'to', (to) => (isText(to, '24:00') ? MIDNIGHT_AT_THE_END : readTime(to)));
  const daysSpot = members.byName.get('days');
  if (daysSpot?.tree.kind === 'list' && daysSpot.tree.items.length === 0)
    addFault(daysSpot, 'must name at least one day');
  if (fromMinute !== null && toMinute !== null && fromMinute >= toMinute) {
    const to = members.byName.get('to') ?? spot;
    addFault(to, 'must be later than "from"; hours past midnight are two entries, one of them to "24:00"');
  }
  return { days, fromMinute: fromMinute ?? 0, toMinute: toMinute ?? MIDNIGHT_AT_THE_END };
}

function readTime(spot: Spot): number | null {
  const { tree } = spot;
  const match = tree.kind === 'scalar' && typeof tree.value === 'string' ? TIME.exec(tree.value) : null;
  if (match !== null) return Number(match[1]) * 60 + Number(match[2]);
  addFault(spot, 'must be a time such as "08:00", to "24:00" at most');
  return null;
}

function isText({ tree }: Spot, text: string): boolean {
  return tree.kind === 'scalar' && tree.value === text;
}

function overlap(one: WeeklyHours, other: WeeklyHours): boolean {
  const sharesDay = one.days.some((day) => other.days.includes(day));
  return sharesDay && one.fromMinute < other.toMinute && other.fromMinute < one.toMinute;
}
