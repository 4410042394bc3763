// The set-up steps of Google Sheets delivery through a script in the spreadsheet.
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
    label: 'Script URL',
    description: 'The web app URL that Google shows.',
    placeholder: 'https://script.google.com/macros/s/…/exec',
    kind: 'url',
  },
];

export function ScriptSteps({ current, sheets }: SheetsFacts): ReactNode {
  return (
    <>
      <Step number={2} title="Add the script to the spreadsheet" state="unseen">
        <Stack gap="sm">
          <List size="sm" type="ordered" spacing={4}>
            <List.Item>In the spreadsheet choose Extensions, then Apps Script.</List.Item>
            <List.Item>Replace the existing code with this script and save.</List.Item>
            <List.Item>Choose Deploy, New deployment, and the type Web app.</List.Item>
            <List.Item>Execute as: Me. Who has access: Anyone. Google asks you once to allow it.</List.Item>
            <List.Item>Copy the web app URL, which ends in /exec.</List.Item>
          </List>
          <CodeBlock text={SHEET_SCRIPT} label="the script" />
          <Text size="sm">
            Google passes no headers to scripts, so the script cannot verify signatures: anyone who knows the URL can
            add rows. Keep it secret.
          </Text>
        </Stack>
      </Step>
      <Step number={3} title="Save the script URL" state={sheets.scriptWebhookUrl === null ? 'todo' : 'done'}>
        <SettingsForm current={current} fields={ADDRESS} label="Script URL" />
      </Step>
      <LastStep number={4} sheets={sheets} />
    </>
  );
}
