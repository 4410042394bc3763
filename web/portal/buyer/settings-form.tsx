// A form for some settings of the account: faults stand at their fields, and a change made elsewhere is told instead of overwritten.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';

import { formatTime } from '../../ui/formats.ts';
import { RequestError } from '../../ui/request.ts';
import { Failure } from '../../ui/states.tsx';
import { useZone } from '../../ui/zone.tsx';
import { type AccountRead, type Setting, textOf, useChangeAccount, valueOf } from './settings-account.ts';
import { Conflict, type SettingField, SettingInput } from './settings-fields.tsx';

type Texts = Partial<Record<Setting, string>>;

export function SettingsForm({
  current,
  fields,
  label,
  onDirty,
}: {
  readonly current: AccountRead;
  readonly fields: readonly SettingField[];
  /** What the form changes: `E-mail settings`. */
  readonly label: string;
  /** Told whether there is something in it that is not saved. */
  readonly onDirty?: (isDirty: boolean) => void;
}): ReactNode {
  const element = useRef<HTMLFormElement>(null);
  const form = useAccountForm(current, fields);
  const { changed, refusals } = form;
  const isDirty = changed.length > 0;
  useEffect(() => onDirty?.(isDirty), [onDirty, isDirty]);
  // Once its fault is on the page, and not again while the others are being mended.
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const canChange = fields.some(({ name }) => current.account.editableFields.includes(name));
  return (
    <form ref={element} aria-label={label} noValidate onSubmit={form.save}>
      <Stack gap="sm">
        {fields.map((field) => (
          <SettingInput
            key={field.name}
            field={field}
            text={form.textOf(field.name)}
            fault={form.faults[field.name] ?? null}
            isEditable={current.account.editableFields.includes(field.name)}
            onChange={(text) => form.change(field.name, text)}
          />
        ))}
        {form.isConflict && (
          <Conflict
            fields={fields.filter(({ name }) => changed.includes(name))}
            current={current}
            onTake={form.reset}
            onKeep={form.saveAnyway}
            isBusy={form.isBusy}
          />
        )}
        {form.failure !== null && <Failure error={form.failure} title="Nothing was saved" />}
        {canChange && (
          <Group gap="sm">
            <Button type="submit" loading={form.isBusy} disabled={!isDirty}>
              Save
            </Button>
            {isDirty && (
              <Button variant="default" onClick={form.reset} disabled={form.isBusy}>
                Discard changes
              </Button>
            )}
            <Text size="sm" c="dimmed" role="status">
              {isDirty ? 'Not saved yet' : form.savedNote}
            </Text>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function useAccountForm(current: AccountRead, fields: readonly SettingField[]) {
  const queries = useQueryClient();
  const zone = useZone();
  const { mutateAsync, isPending } = useChangeAccount();
  const [drafts, setDrafts] = useState<Texts>({});
  // As the account was when the first letter was typed.
  const [begun, setBegun] = useState<AccountRead | null>(null);
  const [faults, setFaults] = useState<Texts>({});
  const [refusals, setRefusals] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const [isConflict, setConflict] = useState(false);
  const [savedNote, setSavedNote] = useState('');
  const base = begun ?? current;
  const shown = (name: Setting): string => drafts[name] ?? textOf(current.account, name);
  const changed = fields
    .map(({ name }) => name)
    .filter((name) => {
      const draft = drafts[name];
      return draft !== undefined && draft !== textOf(base.account, name);
    });
  const reset = (): void => {
    setDrafts({});
    setBegun(null);
    setFaults({});
    setFailure(null);
    setConflict(false);
  };
  const store = async (expected: string | null): Promise<void> => {
    setFailure(null);
    setFaults({});
    const patch = Object.fromEntries(changed.map((name) => [name, valueOf(name, shown(name))]));
    try {
      await mutateAsync({ patch, expected });
      reset();
      setSavedNote(`Saved ${formatTime(new Date(), zone)}`);
    } catch (error) {
      if (!(error instanceof RequestError)) setFailure(error);
      else if (error.status === 412) {
        setConflict(true);
        await queries.invalidateQueries({ queryKey: ['account'] });
      } else {
        const told = faultsOf(error, fields);
        setFaults(told);
        setRefusals((before) => before + 1);
        if (Object.keys(told).length === 0) setFailure(error);
      }
    }
  };
  return {
    changed,
    refusals,
    faults,
    failure,
    isConflict,
    savedNote,
    isBusy: isPending,
    textOf: shown,
    reset,
    change(name: Setting, text: string): void {
      if (begun === null) setBegun(current);
      setDrafts((before) => ({ ...before, [name]: text }));
      setFaults(({ [name]: _gone, ...rest }) => rest);
      setSavedNote('');
    },
    save(event: SubmitEvent): void {
      event.preventDefault();
      if (changed.length > 0) void store(base.etag);
    },
    saveAnyway(): void {
      setConflict(false);
      void store(current.etag);
    },
  };
}

/** By the setting; a fault in one address of a list belongs to the list. */
function faultsOf(error: RequestError, fields: readonly SettingField[]): Texts {
  const told = error.faults.flatMap(({ field, code, message }) => {
    const name = fields.find((one) => one.name === field.split('.')[0])?.name;
    if (name === undefined) return [];
    const words = code === 'field_not_editable' ? 'Only the operator can change this.' : sentence(message);
    return [[name, words]];
  });
  return Object.fromEntries(told) as Texts;
}

/** The service's words begin in lower case, to follow the name of the field. */
function sentence(message: string): string {
  return `This ${message}${message.endsWith('.') ? '' : '.'}`;
}
