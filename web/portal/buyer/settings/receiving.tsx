// Whether the partner receives leads, and the buttons to pause and resume them.
import { Button, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Channels } from '../../../../src/portal/buyer/channels.schema.ts';
import type { PauseState } from '../../../../src/portal/buyer/pause.schema.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { dayIn, daysBefore } from '../../../ui/days.ts';
import { Section } from '../../../ui/facts.tsx';
import { count } from '../../../ui/formats.ts';
import { Status } from '../../../ui/status.tsx';
import { Time, useZone } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useMay } from '../../session.ts';
import { useOfferStates } from '../overview/offer-states.ts';

type Dialog = 'pause' | 'resume';

export function ReceivingSection({ ways: { pause } }: { readonly ways: Channels }): ReactNode {
  const mayChange = useMay('settings');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const offers = (useOfferStates().data?.offers ?? []).filter(({ isActive }) => isActive);
  const active = offers.length;
  const stopped = offers.filter(({ stop }) => stop !== null).length;
  const close = (): void => setDialog(null);
  return (
    <Section
      id="receiving"
      title="Receiving leads"
      actions={
        mayChange && (
          <>
            {pause !== null && (
              <Button variant="default" size="xs" onClick={() => setDialog('resume')}>
                Receive leads again
              </Button>
            )}
            <Button variant="default" size="xs" onClick={() => setDialog('pause')}>
              {pause === null ? 'Pause' : 'Change the end'}
            </Button>
          </>
        )
      }
    >
      {pause === null && stopped > 0 ? <StoppedLine stopped={stopped} active={active} /> : <PauseLine pause={pause} />}
      <PauseDialog isOpen={dialog === 'pause'} active={active} onClose={close} />
      <ResumeDialog isOpen={dialog === 'resume'} active={active} onClose={close} />
    </Section>
  );
}

/** The notice above says why. */
function StoppedLine({ stopped, active }: { readonly stopped: number; readonly active: number }): ReactNode {
  return (
    <Text size="sm" component="p" m={0}>
      <Status tone={stopped === active ? 'bad' : 'warn'}>{stopped === active ? 'Not receiving' : 'Partly'}</Status>{' '}
      <Text component="span" inherit c="dimmed">
        {stopped === active
          ? 'None of your active offers receives leads at the moment.'
          : `${stopped} of your ${active} active offers receive no leads at the moment.`}
      </Text>
    </Text>
  );
}

function PauseLine({ pause }: PauseState): ReactNode {
  if (pause === null) {
    return (
      <Text size="sm" component="p" m={0}>
        <Status tone="good">Receiving</Status>{' '}
        <Text component="span" inherit c="dimmed">
          Leads that match your offers are sold to you. Pause them when you cannot take calls.
        </Text>
      </Text>
    );
  }
  return (
    <Text size="sm" component="p" m={0}>
      <Status tone="warn">Paused</Status> since <Time at={pause.since} kind="short" />,{' '}
      {pause.until === null ? (
        'until you receive leads again.'
      ) : (
        <>
          until <Time at={pause.until} kind="short" />.
        </>
      )}{' '}
      <Text component="span" inherit c="dimmed">
        No new leads are sold to you. Deliveries of before go on.
      </Text>
    </Text>
  );
}

/** Everything about the account: channels, offers, the audit log. */
function useRefreshAccount(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['account'] });
}

type DialogProps = { readonly isOpen: boolean; readonly active: number; readonly onClose: () => void };

function PauseDialog({ isOpen, active, onClose }: DialogProps): ReactNode {
  const zone = useZone();
  const refresh = useRefreshAccount();
  const tomorrow = daysBefore(dayIn(zone, new Date()), -1);
  const [day, setDay] = useState(tomorrow);
  const pause = async (): Promise<void> => {
    await request('PUT /portal/api/buyer/pause', { body: { untilDay: day === '' ? null : day } });
    await refresh();
  };
  return (
    <Confirm
      isOpen={isOpen}
      title="Pause receiving leads"
      action="Pause leads"
      isDangerous
      onConfirm={pause}
      onClose={onClose}
    >
      <Text size="sm">
        {count(active, 'active offer stops', 'active offers stop')} receiving leads at once. Leads that are sold to you
        already are delivered and charged.
      </Text>
      <TextInput
        type="date"
        label="Receive leads again on"
        description={`From the start of that day in ${zone}. Empty: when you say so.`}
        value={day}
        min={tomorrow}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
        data-autofocus
      />
    </Confirm>
  );
}

function ResumeDialog({ isOpen, active, onClose }: DialogProps): ReactNode {
  const refresh = useRefreshAccount();
  const resume = async (): Promise<void> => {
    await request('DELETE /portal/api/buyer/pause', {});
    await refresh();
  };
  return (
    <Confirm isOpen={isOpen} title="Receive leads again?" action="Receive leads" onConfirm={resume} onClose={onClose}>
      <Text size="sm">
        {count(active, 'active offer receives', 'active offers receive')} matching leads from now on, within caps and
        funds.
      </Text>
    </Confirm>
  );
}
