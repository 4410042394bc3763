// Where a partner's leads go at the moment, and taking its webhook back into use.
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { PageLink } from '../../ui/link.tsx';
import { notify } from '../../ui/notify.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import { useConsoleSession } from '../session.ts';
import type { PartnerOnConsole } from '../../../src/console/partners.schema.ts';
import { valueWords } from '../configuration/field-words.ts';
import { Allowed } from '../allowed.tsx';
import { request } from '../console-api.ts';

export function Endpoint({ partner }: { readonly partner: PartnerOnConsole }): ReactNode {
  const { currency } = useConsoleSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { key, channels, settings, endpointDisabledAt } = partner;
  const state = (
    <Status tone={endpointDisabledAt === null ? 'good' : 'bad'}>
      {endpointDisabledAt === null ? 'in use' : 'out of use'}
    </Status>
  );
  return (
    <Section title="Endpoint">
      {endpointDisabledAt !== null && (
        <Alert color="red" variant="outline" title="Out of use">
          <Text size="sm">
            Since <Time at={endpointDisabledAt} /> nothing is sent to the webhook, because it answered 410 Gone or took
            nothing for a long time. Its offers are skipped meanwhile.
          </Text>
          <Group mt="sm">
            <Allowed to="operate" otherwise="enable it">
              <Button onClick={() => setAsking(true)}>Enable the endpoint</Button>
            </Allowed>
          </Group>
        </Alert>
      )}
      <Facts
        facts={[
          ['Channels', channels.length === 0 ? 'API only' : valueWords('channels', channels, currency)],
          ['Webhook URL', settings.webhookUrl],
          ['State', settings.webhookUrl === null ? null : state],
          ['E-mail address', settings.notificationEmail],
          ['SMS number', settings.smsNumber],
          ['Spreadsheet', settings.sheetsSpreadsheetId],
        ]}
      />
      <Text size="sm">
        <PageLink to="/endpoints" search={{ search: key }}>
          See how it has been answering
        </PageLink>
      </Text>
      <Confirm
        isOpen={isAsking}
        title="Enable the endpoint?"
        action="Enable the endpoint"
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await request('POST /console/api/partners/:partnerKey/endpoint/enable', { params: { partnerKey: key } });
          await queries.invalidateQueries({ queryKey: ['configuration'] });
          notify('The endpoint is enabled. Leads are sent there again.');
        }}
      >
        <Text size="sm">
          Leads are sold to this partner and sent to its webhook again. If it still answers 410, it is disabled again.
        </Text>
      </Confirm>
    </Section>
  );
}
