// The step-by-step set-up of Google Sheets, natively or by a script, with the state of each step.
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { choiceFilter, useFilters } from '../../../ui/filters.ts';
import { ButtonLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { ZoneNote } from '../../../ui/zone.tsx';
import { request } from '../../portal-api.ts';
import { useAccount, useChannels } from '../settings/account.ts';
import { ModeStep, NativeSteps, type SheetsFacts } from './native-steps.tsx';
import { ScriptSteps } from './script-steps.tsx';

const FILTERS = { way: choiceFilter(['', 'native', 'script']) };

export function SheetsSetupPage(): ReactNode {
  const account = useAccount();
  const channels = useChannels();
  const config = useQuery({
    queryKey: ['account', 'sheets'],
    queryFn: ({ signal }) => request('GET /portal/api/v1/sheets-config', { signal }),
  });
  return (
    <Page
      title="Google Sheets"
      description={<ZoneNote />}
      actions={
        <ButtonLink to="/settings" variant="default" size="sm">
          All settings
        </ButtonLink>
      }
    >
      <Loaded query={account} what="Loading your account">
        {(current) => (
          <Loaded query={channels} what="Loading your channels">
            {(ways) => (
              <Loaded query={config} what="Checking your spreadsheet">
                {(sheets) => (
                  <Steps
                    current={current}
                    ways={ways}
                    sheets={sheets}
                    isChecking={config.isFetching}
                    onCheck={() => void config.refetch()}
                  />
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Steps(facts: SheetsFacts): ReactNode {
  const [{ way }, change] = useFilters(FILTERS);
  const { mode } = facts.sheets;
  const shown = way === '' ? (mode === 'script' ? 'script' : 'native') : way;
  return (
    <Stack gap="md">
      <Text size="sm">
        Each lead becomes a row. Natively, the service writes the row; choose this for new sheets. The older way is a
        script in your spreadsheet that receives the leads.
      </Text>
      <SegmentedControl
        aria-label="Way of delivery"
        data={[
          { value: 'native', label: 'Natively' },
          { value: 'script', label: 'By a script' },
        ]}
        value={shown}
        onChange={(value) => change({ way: value === 'script' ? 'script' : 'native' })}
      />
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        <ModeStep way={shown} {...facts} />
        {shown === 'native' ? <NativeSteps {...facts} /> : <ScriptSteps {...facts} />}
      </Stack>
    </Stack>
  );
}
