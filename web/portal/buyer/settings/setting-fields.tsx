// The input of one setting, and the notice about a conflicting change of the account.
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

import { type AccountRead, type Setting, textOf } from './account.ts';
import { Notice } from '../notice.tsx';

export type SettingField = {
  readonly name: Setting;
  readonly label: string;
  readonly description: ReactNode;
  readonly placeholder?: string;
  readonly kind: 'email' | 'tel' | 'url' | 'text' | 'lines';
};

export function SettingInput({
  field: { name, label, description, placeholder, kind },
  text,
  fault,
  isEditable,
  onChange,
}: {
  readonly field: SettingField;
  readonly text: string;
  readonly fault: string | null;
  readonly isEditable: boolean;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const common = {
    id: `setting-${name}`,
    label,
    description: isEditable ? description : <>{description} Only the operator can change this.</>,
    value: text,
    error: fault,
    readOnly: !isEditable,
    variant: isEditable ? 'default' : 'filled',
    spellCheck: false,
    ...(placeholder === undefined || !isEditable ? {} : { placeholder }),
  };
  if (kind === 'lines') {
    return <Textarea {...common} autosize minRows={2} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  const inputMode = kind === 'tel' ? 'tel' : kind === 'email' ? 'email' : kind === 'url' ? 'url' : 'text';
  return (
    <TextInput
      {...common}
      inputMode={inputMode}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Shows the values that someone else saved while the form was edited. */
export function Conflict({
  fields,
  current: { account },
  onTake,
  onKeep,
  isBusy,
}: {
  readonly fields: readonly SettingField[];
  readonly current: AccountRead;
  readonly onTake: () => void;
  readonly onKeep: () => void;
  readonly isBusy: boolean;
}): ReactNode {
  return (
    <Notice tone="warn" role="alert" title="The account was changed elsewhere">
      <Text size="sm">Your changes were not saved. The account now has these values:</Text>
      <Stack component="ul" gap={2} m={0} pl="lg">
        {fields.map(({ name, label }) => (
          <Text component="li" size="sm" key={name} style={{ overflowWrap: 'anywhere' }}>
            {label}: {textOf(account, name).replaceAll('\n', ', ') || 'none'}
          </Text>
        ))}
      </Stack>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTake} disabled={isBusy}>
          Use the new values
        </Button>
        <Button size="xs" onClick={onKeep} loading={isBusy}>
          Overwrite with mine
        </Button>
      </Group>
    </Notice>
  );
}
