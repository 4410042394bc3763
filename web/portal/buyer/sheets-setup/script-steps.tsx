// The steps of the older way: a script in the spreadsheet that takes each message and adds a row.
import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { CodeBlock } from '../../../ui/copy.tsx';
import type { SettingField } from '../settings/setting-fields.tsx';
import { SettingsForm } from '../settings/settings-form.tsx';
import { LastStep, type SheetsFacts } from './native-steps.tsx';
import { SHEET_SCRIPT } from './script-text.ts';
import { Step } from './step.tsx';

const ADDRESS: readonly SettingField[] = [
  {
    name: 'sheetsWebhookUrl',
    label: 'Address of the script',
    description: 'The web app URL that Google shows.',
    placeholder: 'https://script.google.com/macros/s/…/exec',
    kind: 'url',
  },
];

export function ScriptSteps({ current, sheets }: SheetsFacts): ReactNode {
  return (
    <>
      <Step number={2} title="Put the script into the spreadsheet" state="unseen">
        <Stack gap="sm">
          <List size="sm" type="ordered" spacing={4}>
            <List.Item>In the spreadsheet choose Extensions, then Apps Script.</List.Item>
            <List.Item>Replace what is there by this text and save it.</List.Item>
            <List.Item>Choose Deploy, New deployment, and the type Web app.</List.Item>
            <List.Item>Execute as: Me. Who has access: Anyone. Google asks you once to allow it.</List.Item>
            <List.Item>Copy the web app URL, which ends in /exec.</List.Item>
          </List>
          <CodeBlock text={SHEET_SCRIPT} label="the script" />
          <Text size="sm">
            Google hands a script no headers, so it cannot check signatures: whoever knows the address can add rows.
            Keep it to yourself.
          </Text>
        </Stack>
      </Step>
      <Step
        number={3}
        title="Save the address of the script"
        state={sheets.scriptWebhookUrl === null ? 'todo' : 'done'}
      >
        <SettingsForm current={current} fields={ADDRESS} label="Address of the script" />
      </Step>
      <LastStep number={4} sheets={sheets} />
    </>
  );
}
