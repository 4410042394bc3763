// The set-up steps of native Google Sheets delivery: share the spreadsheet, enter it, check access, wait for the first lead.
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { SheetsConfig } from '../../../../sdk/typescript/client.ts';
import type { Channels } from '../../../../src/portal/buyer/channels.schema.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { OutsideLink } from '../../../ui/link.tsx';
import { Time } from '../../../ui/zone.tsx';
import type { AccountRead } from '../settings/account.ts';
import { ChannelLine } from '../settings/channel-line.tsx';
import { ChannelSwitch } from '../settings/channel-switch.tsx';
import type { SettingField } from '../settings/setting-fields.tsx';
import { SettingsForm } from '../settings/settings-form.tsx';
import { Step, type StepState } from './step.tsx';

/** Data and actions of the steps. */
export type SheetsFacts = {
  readonly current: AccountRead;
  readonly ways: Channels;
  readonly sheets: SheetsConfig;
  /** True during a check of the spreadsheet. */
  readonly isChecking: boolean;
  readonly onCheck: () => void;
};

const SPREADSHEET: readonly SettingField[] = [
  {
    name: 'sheetsSpreadsheetId',
    label: 'Spreadsheet link or id',
    description: 'Open the spreadsheet and paste the address from the browser.',
    placeholder: 'https://docs.google.com/spreadsheets/d/…',
    kind: 'text',
  },
];

export function ModeStep({
  way,
  current: { account },
  sheets: { mode },
  ways,
}: Pick<SheetsFacts, 'current' | 'sheets' | 'ways'> & { readonly way: 'native' | 'script' }): ReactNode {
  const channel = way === 'native' ? 'sheets' : 'sheets_script';
  const isOwn = ways.own.includes(channel);
  return (
    <Step number={1} title="Enable the channel" state={mode === way ? 'done' : isOwn ? 'todo' : 'waiting'}>
      <Stack gap="xs">
        <ChannelLine name={channel} ways={ways} />
        {mode !== way && (
          <Text size="sm">
            {mode === 'off'
              ? 'Leads are not sent to a spreadsheet yet.'
              : `Leads are sent to a spreadsheet ${WAY_WORDS[mode]}.`}{' '}
            {!isOwn && (
              <>
                Ask the operator to enable the channel <Code>{channel}</Code>. You can do the other steps meanwhile.
              </>
            )}
          </Text>
        )}
        <ChannelSwitch name={channel} account={account} ways={ways} />
      </Stack>
    </Step>
  );
}

const WAY_WORDS = { native: 'natively', script: 'by a script' } as const;

export function NativeSteps({ current, sheets, isChecking, onCheck }: SheetsFacts): ReactNode {
  const { serviceAccountEmail, spreadsheetId, sheetName, mode } = sheets;
  const canOpen = sheetName !== null;
  // Access is checked only if native delivery is enabled.
  const opening: StepState = canOpen ? 'done' : spreadsheetId === null ? 'todo' : mode === 'native' ? 'wrong' : 'later';
  return (
    <>
      <Step number={2} title="Share the spreadsheet" state={serviceAccountEmail === null ? 'waiting' : opening}>
        <ShareText email={serviceAccountEmail} />
      </Step>
      <Step number={3} title="Enter the spreadsheet" state={spreadsheetId === null ? 'todo' : 'done'}>
        <Stack gap="sm">
          <SettingsForm current={current} fields={SPREADSHEET} label="Spreadsheet" />
          {spreadsheetId !== null && (
            <Text size="sm" component="div">
              Open it: <OutsideLink href={`https://docs.google.com/spreadsheets/d/${spreadsheetId}`} />
            </Text>
          )}
        </Stack>
      </Step>
      <Step number={4} title="Check access" state={opening}>
        <Stack gap="sm" align="flex-start">
          <Text size="sm" role="status">
            {isChecking ? 'Asking Google …' : openWords(sheets)}
          </Text>
          <Button variant="default" size="xs" onClick={onCheck} disabled={spreadsheetId === null}>
            Check again
          </Button>
        </Stack>
      </Step>
      <LastStep number={5} sheets={sheets} />
    </>
  );
}

function ShareText({ email }: { readonly email: string | null }): ReactNode {
  if (email === null) {
    return (
      <Text size="sm">
        The operator has not set up Google Sheets for this marketplace yet. Ask for the address to share with.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        In the spreadsheet choose Share, paste this address, make it an Editor, and send. Google may warn that the
        address is outside your organization; that is expected.
      </Text>
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{email}</Code>
        <CopyText text={email} what="the address" />
      </Group>
    </Stack>
  );
}

function openWords({ mode, spreadsheetId, sheetName, serviceAccountEmail }: SheetsConfig): string {
  if (sheetName !== null) return `Access works. Leads are added to the first sheet, “${sheetName}”.`;
  if (spreadsheetId === null) return 'Enter the spreadsheet first.';
  if (mode !== 'native') return 'Checked once native delivery is enabled.';
  if (serviceAccountEmail === null) return 'The operator has not set up Google Sheets yet.';
  return 'The spreadsheet cannot be opened. Check that it is shared with the address above as an Editor, and that the link is correct.';
}

/** The last step of both ways: the first lead arrives. */
export function LastStep({ number, sheets }: { readonly number: number; readonly sheets: SheetsConfig }): ReactNode {
  const { lastAppendAt, lastError, columns } = sheets;
  const state = lastError !== null ? 'wrong' : lastAppendAt !== null ? 'done' : 'todo';
  return (
    <Step number={number} title="Watch the first lead arrive" state={state}>
      <Stack gap="xs">
        <Text size="sm" role="status" component="div">
          {lastAppendAt === null ? (
            'No lead added yet.'
          ) : (
            <>
              The latest lead was added on <Time at={lastAppendAt} />.
            </>
          )}{' '}
          {lastError !== null && `The latest attempt failed: ${lastError}`}
        </Text>
        {sheets.mode === 'native' && (
          <Text size="sm">
            An empty sheet gets a header row with the first lead. The columns are those of the CSV export:{' '}
            {columns.join(', ')}. Do not move them; add your own columns on the right.
          </Text>
        )}
      </Stack>
    </Step>
  );
}
