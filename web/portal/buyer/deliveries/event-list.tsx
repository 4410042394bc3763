// The events of a delivery as a line with marks, oldest first.
import { Text } from '@mantine/core';
import {
  CalendarIcon,
  CheckCircledIcon,
  CheckIcon,
  CircleBackslashIcon,
  ClockIcon,
  Cross2Icon,
  EnvelopeClosedIcon,
  ExclamationTriangleIcon,
  MinusCircledIcon,
  PlusCircledIcon,
  ResetIcon,
  UpdateIcon,
} from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import type { Timeline } from '../../../../sdk/typescript/client.ts';
import type { Tone } from '../../../ui/status.tsx';
import { Time } from '../../../ui/zone.tsx';
import classes from './event-list.module.css';

type Event = Timeline['events'][number];
type Mark = { readonly title: string; readonly tone: Tone; readonly icon: typeof CheckIcon };

const MARKS: Readonly<Record<Event['type'], Mark>> = {
  'delivery.routed': { title: 'Routed to you', tone: 'good', icon: EnvelopeClosedIcon },
  'appointment.booked': { title: 'Appointment booked', tone: 'good', icon: CalendarIcon },
  'attempt.scheduled': { title: 'Attempt under way', tone: 'warn', icon: ClockIcon },
  'attempt.succeeded': { title: 'Attempt succeeded', tone: 'good', icon: CheckIcon },
  'attempt.failed': { title: 'Attempt failed', tone: 'warn', icon: Cross2Icon },
  'attempt.exhausted': { title: 'Last attempt failed', tone: 'bad', icon: Cross2Icon },
  'endpoint.disabled': { title: 'Webhook disabled', tone: 'bad', icon: ExclamationTriangleIcon },
  'endpoint.enabled': { title: 'Webhook enabled', tone: 'good', icon: CheckIcon },
  'delivery.confirmed': { title: 'Confirmed', tone: 'good', icon: CheckCircledIcon },
  'delivery.charged': { title: 'Charged', tone: 'idle', icon: MinusCircledIcon },
  'delivery.failed': { title: 'Failed', tone: 'bad', icon: CircleBackslashIcon },
  'delivery.redelivery_requested': { title: 'Asked for again', tone: 'idle', icon: UpdateIcon },
  'delivery.returned': { title: 'Returned', tone: 'idle', icon: ResetIcon },
  'delivery.credited': { title: 'Credited', tone: 'good', icon: PlusCircledIcon },
};
/** More kinds may be added. */
const OTHER: Mark = { title: 'Event', tone: 'idle', icon: ClockIcon };

export function EventList({ events }: { readonly events: readonly Event[] }): ReactNode {
  return (
    <ol className={classes['events']}>
      {events.map((event) => (
        <Moment key={`${event.type} ${event.at} ${event.message}`} event={event} />
      ))}
    </ol>
  );
}

function Moment({ event: { at, type, message } }: { readonly event: Event }): ReactNode {
  const { title, tone, icon: Icon } = (MARKS as Readonly<Record<string, Mark>>)[type] ?? OTHER;
  return (
    <li className={classes['event']}>
      <span className={classes['mark']} style={{ color: `var(--lm-${tone})` }} aria-hidden="true">
        <Icon />
      </span>
      <div>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <WithTimes text={message} />
        </Text>
        <Text size="xs" c="dimmed">
          <Time at={at} />
        </Text>
      </div>
    </li>
  );
}

const INSTANT = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)/;

/** The instants in a message are UTC; the page tells times in the partner's zone. */
function WithTimes({ text }: { readonly text: string }): ReactNode {
  return text.split(INSTANT).map((part) => (INSTANT.test(part) ? <Time key={part} at={part} /> : part));
}
