// A form for some settings of the account, with errors at the fields. A concurrent change is reported, not overwritten.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';

import { Confirm } from '../../../ui/confirm.tsx';
import { count, formatTime } from '../../../ui/formats.ts';
import { RequestError } from '../../../ui/request.ts';
import { Failure } from '../../../ui/states.tsx';
import { useZone } from '../../../ui/zone.tsx';
import { type AccountRead, type Setting, textOf, useChangeAccount, valueOf } from './account.ts';
import { Conflict, type SettingField, SettingInput } from './setting-fields.tsx';

type Texts = Partial<Record<Setting, string>>;

/** The target setting of the primary channel, and the number of active offers that depend on it. */
export type Receiving = { readonly setting: Setting; readonly words: string; readonly offers: number };

export function SettingsForm({
  current,
  fields,
  label,
  onDirty,
  receiving = null,
}: {
  readonly current: AccountRead;
  readonly fields: readonly SettingField[];
  /** The accessible name of the form: `Email settings`. */
  readonly label: string;
  /** Called with whether the form has unsaved changes. */
  readonly onDirty?: (isDirty: boolean) => void;
  /** The target of leads: clearing it needs a confirmation. */
  readonly receiving?: Receiving | null;
}): ReactNode {
  const element = useRef<HTMLFormElement>(null);
  const form = useAccountForm(current, fields);
  const [pendingSave, setPendingSave] = useState<(() => Promise<void>) | null>(null);
  const stops = receiving !== null && form.clears(receiving.setting);
  const saveOrConfirm = (save: () => Promise<void>): void => {
    if (stops) setPendingSave(() => save);
    else void save();
  };
  const { changed, rejections } = form;
  const isDirty = changed.length > 0;
  useEffect(() => onDirty?.(isDirty), [onDirty, isDirty]);
  // Focuses the first invalid field after a rejection, and not again while the user corrects the others.
  useEffect(() => {
    if (rejections > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [rejections]);
  // A loading button loses the focus: give it back.
  const submit = useRef<HTMLButtonElement>(null);
  const { isBusy } = form;
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy && document.activeElement === document.body) submit.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  const submitForm = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isDirty) saveOrConfirm(form.save);
    else form.noteUnchanged();
  };
  const discard = (): void => {
    form.reset();
    submit.current?.focus();
  };
  const canChange = fields.some(({ name }) => current.account.editableFields.includes(name));
  return (
    <form ref={element} aria-label={label} noValidate onSubmit={submitForm}>
      <Stack gap="sm">
        {fields.map((field) => (
          <SettingInput
            key={field.name}
            field={field}
            text={form.textIn(field.name)}
            fault={form.faults[field.name] ?? null}
            isEditable={current.account.editableFields.includes(field.name)}
            onChange={(text) => form.change(field.name, text)}
          />
        ))}
        {form.isConflict && (
          <Conflict
            fields={fields.filter(({ name }) => changed.includes(name))}
            current={current}
            onTake={discard}
            onKeep={() => saveOrConfirm(form.saveAnyway)}
            isBusy={isBusy}
          />
        )}
        {form.failure !== null && <Failure error={form.failure} title="Nothing was saved" />}
        {canChange && (
          <Group gap="sm">
            <Button type="submit" ref={submit} loading={isBusy} variant={isDirty ? 'filled' : 'default'}>
              Save
            </Button>
            {isDirty && (
              <Button variant="default" onClick={discard} disabled={isBusy}>
                Discard changes
              </Button>
            )}
            <Text size="sm" c="dimmed" role="status">
              {isDirty ? 'Not saved yet' : form.note}
            </Text>
          </Group>
        )}
      </Stack>
      {receiving !== null && (
        <Confirm
          isOpen={pendingSave !== null}
          title="Stop receiving leads?"
          action="Stop receiving leads"
          isDangerous
          onClose={() => setPendingSave(null)}
          onConfirm={async () => pendingSave?.()}
        >
          <Text size="sm">
            Your leads are delivered to this {receiving.words}. Without it,{' '}
            {receiving.offers === 0
              ? 'none of your offers can receive leads'
              : `${count(receiving.offers, 'active offer stops', 'active offers stop')} receiving leads at once`}
            , until you save one again.
          </Text>
        </Confirm>
      )}
    </form>
  );
}

/** Unsaved text of the fields. */
function useDrafts(current: AccountRead, fields: readonly SettingField[]) {
  const [drafts, setDrafts] = useState<Texts>({});
  // The account at the time of the first change.
  const [begun, setBegun] = useState<AccountRead | null>(null);
  const base = begun ?? current;
  const names = fields.map(({ name }) => name);
  return {
    base,
    textIn: (name: Setting): string => drafts[name] ?? textOf(current.account, name),
    changed: names.filter((name) => drafts[name] !== undefined && drafts[name] !== textOf(base.account, name)),
    change(name: Setting, text: string): void {
      if (begun === null) setBegun(current);
      setDrafts((before) => ({ ...before, [name]: text }));
    },
    discard(): void {
      setDrafts({});
      setBegun(null);
    },
  };
}

type Report = {
  readonly faults: Texts;
  readonly failure: unknown;
  readonly isConflict: boolean;
  readonly note: string;
};

const NOTHING_REPORTED: Report = { faults: {}, failure: null, isConflict: false, note: '' };

function useAccountForm(current: AccountRead, fields: readonly SettingField[]) {
  const queries = useQueryClient();
  const zone = useZone();
  const { mutateAsync, isPending } = useChangeAccount();
  const { base, textIn, changed, change, discard } = useDrafts(current, fields);
  const [report, setReport] = useState(NOTHING_REPORTED);
  const [rejections, setRejections] = useState(0);
  const store = async (expected: string | null): Promise<void> => {
    setReport(NOTHING_REPORTED);
    const patch = Object.fromEntries(changed.map((name) => [name, valueOf(name, textIn(name))]));
    try {
      await mutateAsync({ patch, expected });
      discard();
      setReport({ ...NOTHING_REPORTED, note: `Saved ${formatTime(new Date(), zone)}` });
    } catch (error) {
      if (error instanceof RequestError && error.status === 412) {
        setReport({ ...NOTHING_REPORTED, isConflict: true });
        await queries.invalidateQueries({ queryKey: ['account'] });
        return;
      }
      const faults = error instanceof RequestError ? faultsOf(error, fields) : {};
      const isKnown = Object.keys(faults).length > 0;
      setReport({ ...NOTHING_REPORTED, faults, failure: isKnown ? null : error });
      if (isKnown) setRejections((before) => before + 1);
    }
  };
  return {
    ...report,
    changed,
    rejections,
    isBusy: isPending,
    textIn,
    change(name: Setting, text: string): void {
      change(name, text);
      setReport(({ faults: { [name]: _gone, ...faults }, ...rest }) => ({ ...rest, faults, note: '' }));
    },
    reset(): void {
      discard();
      setReport(NOTHING_REPORTED);
    },
    /** Whether saving would clear a setting that has a value. */
    clears: (name: Setting): boolean =>
      changed.includes(name) && valueOf(name, textIn(name)) === null && textOf(current.account, name) !== '',
    noteUnchanged: () => setReport({ ...NOTHING_REPORTED, note: 'No changes' }),
    save: () => store(base.etag),
    saveAnyway: () => store(current.etag),
  };
}

/** Errors by setting; an error in one address of a list belongs to the list. */
function faultsOf(error: RequestError, fields: readonly SettingField[]): Texts {
  const report = error.faults.flatMap(({ field, code, message }) => {
    const name = fields.find((one) => one.name === field.split('.')[0])?.name;
    if (name === undefined) return [];
    const words = code === 'field_not_editable' ? 'Only the operator can change this.' : sentence(message);
    return [[name, words]];
  });
  return Object.fromEntries(report) as Texts;
}

/** The service's messages start in lower case, to follow a field name. */
function sentence(message: string): string {
  return `This ${message}${message.endsWith('.') ? '' : '.'}`;
}
