// The time zone in which a page tells times, and the element that tells one.
import { createContext, type ReactNode, useContext } from 'react';

import { formatDay, formatShortTime, formatTime, zoneName } from './formats.ts';

const Zone = createContext('UTC');

export function ZoneProvider({ zone, children }: { readonly zone: string; readonly children: ReactNode }): ReactNode {
  return <Zone value={zone}>{children}</Zone>;
}

/** An IANA name, such as America/Los_Angeles. */
export function useZone(): string {
  return useContext(Zone);
}

/** `Times in America/Los_Angeles (PST)`: for headings of tables whose times are short. */
export function ZoneNote(): ReactNode {
  const zone = useZone();
  return (
    <>
      Times in {zone} ({zoneName(zone, new Date())})
    </>
  );
}

/** A time in the page's zone; `short` leaves out year, seconds and zone, which a pointer resting on it shows. */
export function Time({
  at,
  kind = 'full',
}: {
  readonly at: string;
  readonly kind?: 'full' | 'short' | 'day';
}): ReactNode {
  const zone = useZone();
  const text = { full: formatTime, short: formatShortTime, day: formatDay }[kind](at, zone);
  return (
    <time dateTime={at} title={`${formatTime(at, zone)} · ${at}`} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  );
}
