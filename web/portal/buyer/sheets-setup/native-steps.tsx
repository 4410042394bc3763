// The steps of the native way: share the spreadsheet, name it, see that it can be opened, wait for the first lead.
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { SheetsConfig } from '../../../../sdk/typescript/client.ts';
import type { Channels } from '../../../../src/portal/buyer/channels.schema.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { OutsideLink } from '../../../ui/link.tsx';
import { Time } from '../../../ui/zone.tsx';
import type { AccountRead } from '../settings/account.ts';
import { ChannelLine } from '../settings/channel-line.tsx';
import type { SettingField } from '../settings/setting-fields.tsx';
import { SettingsForm } from '../settings/settings-form.tsx';
import { Step, type StepState } from './step.tsx';

/** What the steps show and change. */
export type SheetsFacts = {
  readonly current: AccountRead;
  readonly ways: Channels;
  readonly sheets: SheetsConfig;
  /** While the spreadsheet is asked about again. */
  readonly isChecking: boolean;
  readonly onCheck: () => void;
};

const SPREADSHEET: readonly SettingField[] = [
  {
    name: 'sheetsSpreadsheetId',
    label: 'Link or id of the spreadsheet',
    description: 'Paste the address from the browser while the spreadsheet is open.',
    placeholder: 'https://docs.google.com/spreadsheets/d/…',
    kind: 'text',
  },
];

export function ModeStep({
  way,
  sheets: { mode },
  ways,
}: {
  readonly way: 'native' | 'script';
  readonly sheets: SheetsConfig;
  readonly ways: Channels;
}): ReactNode {
  const channel = way === 'native' ? 'sheets' : 'sheets_script';
  return (
    <Step number={1} title="Have it switched on" state={mode === way ? 'done' : 'waiting'}>
      <Stack gap="xs">
        <ChannelLine name={channel} ways={ways} />
        {mode !== way && (
          <Text size="sm">
            {mode === 'off'
              ? 'No lead goes to a spreadsheet yet.'
              : `Your leads go to a spreadsheet ${WAY_WORDS[mode]}.`}{' '}
            Only the operator can switch {way === 'native' ? 'native delivery' : 'the script'} on: ask for the channel{' '}
            <Code>{channel}</Code>. You can do the other steps meanwhile.
          </Text>
        )}
      </Stack>
    </Step>
  );
}

const WAY_WORDS = { native: 'natively', script: 'by a script' } as const;

export function NativeSteps({ current, sheets, isChecking, onCheck }: SheetsFacts): ReactNode {
  const { serviceAccountEmail, spreadsheetId, sheetName, mode } = sheets;
  const canOpen = sheetName !== null;
  // Whether it can be opened is asked only where leads would go there.
  const opening: StepState = canOpen ? 'done' : spreadsheetId === null ? 'todo' : mode === 'native' ? 'wrong' : 'later';
  return (
    <>
      <Step number={2} title="Share the spreadsheet" state={serviceAccountEmail === null ? 'waiting' : opening}>
        <ShareText email={serviceAccountEmail} />
      </Step>
      <Step number={3} title="Say which spreadsheet it is" state={spreadsheetId === null ? 'todo' : 'done'}>
        <Stack gap="sm">
          <SettingsForm current={current} fields={SPREADSHEET} label="Spreadsheet" />
          {spreadsheetId !== null && (
            <Text size="sm" component="div">
              Open it: <OutsideLink href={`https://docs.google.com/spreadsheets/d/${spreadsheetId}`} />
            </Text>
          )}
        </Stack>
      </Step>
      <Step number={4} title="See that it can be opened" state={opening}>
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
        The operator has not set up Google Sheets for this marketplace yet: ask them for the address to share with.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        In the spreadsheet choose Share, paste this address, make it an Editor, and send. Google may say that the
        address is outside of your organization; that is right.
      </Text>
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{email}</Code>
        <CopyText text={email} what="the address" />
      </Group>
    </Stack>
  );
}

function openWords({ mode, spreadsheetId, sheetName, serviceAccountEmail }: SheetsConfig): string {
  if (sheetName !== null) return `It can be opened. Leads are added to its first sheet, “${sheetName}”.`;
  if (spreadsheetId === null) return 'Say first which spreadsheet it is.';
  if (mode !== 'native') return 'It is opened for the first time once native delivery is switched on.';
  if (serviceAccountEmail === null) return 'The operator has not set up Google Sheets yet.';
  return 'It cannot be opened at the moment. Look whether it is shared with the address above as an Editor, and whether the link is the right one.';
}

/** For both ways: the first lead, and every one after it. */
export function LastStep({ number, sheets }: { readonly number: number; readonly sheets: SheetsConfig }): ReactNode {
  const { lastAppendAt, lastError, columns } = sheets;
  const state = lastError !== null ? 'wrong' : lastAppendAt !== null ? 'done' : 'todo';
  return (
    <Step number={number} title="Watch the first lead arrive" state={state}>
      <Stack gap="xs">
        <Text size="sm" role="status" component="div">
          {lastAppendAt === null ? (
            'No lead was added yet.'
          ) : (
            <>
              The latest lead was added on <Time at={lastAppendAt} />.
            </>
          )}{' '}
          {lastError !== null && `The latest attempt failed: ${lastError}`}
        </Text>
        {sheets.mode === 'native' && (
          <Text size="sm">
            An empty sheet gets a line of column names with the first lead. The columns, as in the CSV export:{' '}
            {columns.join(', ')}. Leave them where they are; columns of your own stand to the right.
          </Text>
        )}
      </Stack>
    </Step>
  );
}
