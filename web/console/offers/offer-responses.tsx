// How often the leads of an offer are rejected, and the warning with a button while it is paused for it.
import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { OfferOnConsole } from '../../../src/console/offers.schema.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Figure, Figures, Section } from '../../ui/facts.tsx';
import { count, formatShare } from '../../ui/formats.ts';
import { notify } from '../../ui/notify.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { Allowed } from '../allowed.tsx';
import { Attention } from '../attention.tsx';
import { request } from '../console-api.ts';
import { RESPONSE_SPANS, responseNote } from './response-share.tsx';

export function OfferResponses({ offerKey }: { readonly offerKey: string }): ReactNode {
  const query = useQuery({
    queryKey: ['configuration', 'offers', offerKey, 'responses'],
    queryFn: ({ signal }) => request('GET /console/api/offers/:key/responses', { params: { key: offerKey }, signal }),
  });
  return (
    <Section title="Rejected leads">
      <Loaded query={query} what="Loading the responses">
        {({ rule, timeZone, ...shares }) => (
          <>
            <Figures>
              {RESPONSE_SPANS.map(([span, title]) => {
                const share = shares[span];
                const { responses, rejected, duplicates } = share;
                return (
                  <Figure
                    key={span}
                    name={title}
                    value={responses === 0 ? '—' : formatShare((rejected + duplicates) / responses)}
                    note={responses === 0 ? 'no responses' : responseNote(share)}
                  />
                );
              })}
            </Figures>
            <Text size="sm" c="dimmed">
              {rule === null
                ? 'The offer never pauses for rejections.'
                : `The offer pauses for the rest of the day above ${rule.abovePercent}% of at least ${count(rule.responses, 'response')}.`}{' '}
              Days in {timeZone}, the partner’s time zone.
            </Text>
          </>
        )}
      </Loaded>
    </Section>
  );
}

export function PausedOffer({ offer }: { readonly offer: OfferOnConsole }): ReactNode {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { rejectionsPause: pause, key } = offer;
  if (pause === null) return null;
  return (
    <Attention title="Paused: the partner rejected many leads">
      <Text size="sm">
        Since <Time at={pause.since} />. The offer takes leads again at <Time at={pause.until} />, when the partner’s
        day ends, or when you lift the pause.
      </Text>
      <Group mt="sm">
        <Allowed to="operate" otherwise="lift the pause">
          <Button onClick={() => setAsking(true)}>Lift the pause</Button>
        </Allowed>
      </Group>
      <Confirm
        isOpen={isAsking}
        title="Lift the pause?"
        action="Lift the pause"
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await request('POST /console/api/offers/:key/rejections-pause/lift', { params: { key } });
          await queries.invalidateQueries({ queryKey: ['configuration'] });
          notify('The offer takes leads again.');
        }}
      >
        <Text size="sm">
          Leads are sold to this offer again. It pauses again if the partner goes on to reject too many; responses until
          now do not count for that.
        </Text>
      </Confirm>
    </Attention>
  );
}
