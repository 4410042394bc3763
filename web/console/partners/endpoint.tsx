// The addresses that a partner's leads are sent to, and the button that enables its disabled webhook.
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
      {endpointDisabledAt === null ? 'enabled' : 'disabled'}
    </Status>
  );
  return (
    <Section title="Endpoint">
      {endpointDisabledAt !== null && (
        <Alert color="red" variant="outline" title="Webhook disabled">
          <Text size="sm">
            The webhook has been disabled since <Time at={endpointDisabledAt} />, because it responded with 410 Gone or
            failed for a long time. The partner’s offers are skipped until it is enabled.
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
          ['Status', settings.webhookUrl === null ? null : state],
          ['Email address', settings.notificationEmail],
          ['SMS number', settings.smsNumber],
          ['Spreadsheet', settings.sheetsSpreadsheetId],
        ]}
      />
      <Text size="sm">
        <PageLink to="/endpoints" search={{ search: key }}>
          View endpoint health
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
          Leads are sold to this partner and sent to its webhook again. If it still responds with 410, it is disabled
          again.
        </Text>
      </Confirm>
    </Section>
  );
}
