// The time zone of a page, and the element that shows a time in it.
import { createContext, type ReactNode, useContext } from 'react';

import { formatAgo, formatDay, formatShortTime, formatTime, zoneName } from './formats.ts';

const Zone = createContext('UTC');

export function ZoneProvider({ zone, children }: { readonly zone: string; readonly children: ReactNode }): ReactNode {
  return <Zone value={zone}>{children}</Zone>;
}

/** An IANA name, such as America/Los_Angeles. */
export function useZone(): string {
  return useContext(Zone);
}

/** `Days and times in America/Los_Angeles (PST)`: once per page, because all of its days and times are in this zone. */
export function ZoneNote(): ReactNode {
  const zone = useZone();
  return (
    <>
      Days and times in {zone}
      {zone === 'UTC' ? '' : ` (${zoneName(zone, new Date())})`}
    </>
  );
}

/** A time in the page's zone; `short` omits year, seconds and zone, which its tooltip shows. */
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
    <time dateTime={at} title={`${formatTime(at, zone)} · ${elsewhere(at, zone)}`} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  );
}

/** How long ago, with the time in the page's zone as its tooltip; null is never. */
export function Ago({ at }: { readonly at: string | null }): ReactNode {
  const zone = useZone();
  if (at === null) return 'Never';
  return (
    <time dateTime={at} title={`${formatTime(at, zone)} · ${elsewhere(at, zone)}`} style={{ whiteSpace: 'nowrap' }}>
      {formatAgo(at, new Date())}
    </time>
  );
}

/** The same instant in the browser's time zone if that differs, else in UTC. */
function elsewhere(at: string, zone: string): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return own === zone ? at : `${formatTime(at, own)} on this device`;
}
