// Uploads a file into a list: a preview of its first rows with the choice of columns, hashing in the browser, progress, and cancelling.
import { Alert, Button, Checkbox, FileInput, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { ListView, LoadView } from '../../../src/scopes/lists.schema.ts';
import { count, formatNumber } from '../formats.ts';
import { Failure } from '../states.tsx';
import { LIST_KINDS } from './list-words.ts';
import { canHash } from './normal-value.ts';
import { type Choice, columnsOf, firstRows, type Preview, PreviewTable } from './upload-preview.tsx';
import { InvalidRow, type ListLoads, uploadRows, type UploadProgress } from './upload-rows.ts';

type Run =
  | { readonly state: 'running'; readonly progress: UploadProgress }
  | { readonly state: 'done'; readonly load: LoadView; readonly leftOut: number }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly error: unknown };

const NO_CHOICE: Choice = {
  valueColumn: 0,
  expiresColumn: null,
  areaColumn: null,
  hasHeader: false,
  mode: 'replace',
  toHash: false,
  skipInvalid: false,
  expires: '',
};

export function UploadForm({
  list,
  loads,
  onDone,
}: {
  readonly list: Pick<ListView, 'kind' | 'entries'>;
  readonly loads: ListLoads;
  readonly onDone: () => void;
}): ReactNode {
  const { kind } = list;
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [choice, setChoice] = useState(NO_CHOICE);
  const [run, setRun] = useState<Run | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const isRunning = run?.state === 'running';

  const choose = async (chosen: File | null): Promise<void> => {
    setFile(chosen);
    setPreview(null);
    setRun(null);
    if (chosen === null) return;
    try {
      const found = await firstRows(chosen, kind);
      setPreview(found);
      setChoice((before) => ({ ...before, ...columnsOf(found, kind) }));
    } catch (error) {
      setRun({ state: 'failed', error });
    }
  };

  const upload = async (): Promise<void> => {
    if (file === null) return;
    const controller = new AbortController();
    stop.current = controller;
    setRun({ state: 'running', progress: { share: 0, rows: 0, leftOut: 0 } });
    try {
      const done = await uploadRows(
        loads,
        { kind, file, ...choice },
        { signal: controller.signal, onProgress: (progress) => setRun({ state: 'running', progress }) },
      );
      setRun({ state: 'done', ...done });
      setFile(null);
      setPreview(null);
    } catch (error) {
      setRun(controller.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error });
    } finally {
      onDone();
    }
  };

  const fields: FieldsProps = {
    list,
    choice,
    isRunning,
    set: (part) => setChoice((before) => ({ ...before, ...part })),
  };
  return (
    <Stack gap="md">
      <FileInput
        label="File"
        description={`CSV or text with one ${LIST_KINDS[kind].one} in each row.`}
        placeholder="Choose a file"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        value={file}
        disabled={isRunning}
        onChange={(chosen) => void choose(chosen)}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        maw={420}
      />
      {preview !== null && (
        <>
          <PreviewTable preview={preview} choice={choice} kind={kind} />
          <ColumnFields {...fields} head={preview.rows[0] ?? NO_COLUMNS} />
          <LoadFields {...fields} />
          <Group>
            <Button onClick={() => void upload()} loading={isRunning}>
              Upload
            </Button>
          </Group>
        </>
      )}
      <RunState run={run} onCancel={() => stop.current?.abort()} />
    </Stack>
  );
}

const NO_COLUMNS: readonly string[] = [];

type FieldsProps = {
  readonly list: Pick<ListView, 'kind' | 'entries'>;
  readonly choice: Choice;
  readonly isRunning: boolean;
  readonly set: (part: Partial<Choice>) => void;
};

function ColumnFields({
  list: { kind },
  choice: { hasHeader, valueColumn, areaColumn, expiresColumn, expires },
  isRunning,
  set,
  head,
}: FieldsProps & {
  /** The first row of the file. */
  readonly head: readonly string[];
}): ReactNode {
  const columns = head.map((name, index) => ({
    value: String(index),
    label: hasHeader && name.trim() !== '' ? name : `Column ${index + 1}`,
  }));
  return (
    <>
      <Checkbox
        label="The first row holds the names of the columns"
        checked={hasHeader}
        disabled={isRunning}
        onChange={({ currentTarget }) => set({ hasHeader: currentTarget.checked })}
      />
      <Group align="flex-start">
        <Select
          label={`Column with the ${LIST_KINDS[kind].many}`}
          description="Of all columns, only this and the expiry are sent."
          data={columns}
          value={String(valueColumn)}
          allowDeselect={false}
          disabled={isRunning}
          onChange={(value) => set({ valueColumn: Number(value ?? 0) })}
          miw={220}
        />
        {kind === 'phone' && (
          <Select
            label="Column with the area code"
            description="If it stands apart from the number."
            data={[{ value: '', label: 'None' }, ...columns]}
            value={areaColumn === null ? '' : String(areaColumn)}
            allowDeselect={false}
            disabled={isRunning}
            onChange={(value) => set({ areaColumn: value === null || value === '' ? null : Number(value) })}
            miw={220}
          />
        )}
        <Select
          label="Column with the expiry"
          description="A day or a time, if the file has one."
          data={[{ value: '', label: 'None' }, ...columns]}
          value={expiresColumn === null ? '' : String(expiresColumn)}
          allowDeselect={false}
          disabled={isRunning}
          onChange={(value) => set({ expiresColumn: value === null || value === '' ? null : Number(value) })}
          miw={220}
        />
        <TextInput
          label="Expires"
          description="For rows without an expiry of their own."
          type="date"
          value={expires}
          disabled={isRunning}
          onChange={({ currentTarget }) => set({ expires: currentTarget.value })}
          miw={180}
        />
      </Group>
    </>
  );
}

function LoadFields({
  list: { kind, entries },
  choice: { mode, toHash, skipInvalid },
  isRunning,
  set,
}: FieldsProps): ReactNode {
  return (
    <>
      <Radio.Group
        label="Present entries"
        value={mode}
        onChange={(value) => set({ mode: value === 'add' ? 'add' : 'replace' })}
      >
        <Stack gap={4} mt={4}>
          <Radio
            value="replace"
            label={`Replace: afterwards the list has the rows of this file only (${count(entries, 'entry', 'entries')} now)`}
            disabled={isRunning}
          />
          <Radio value="add" label="Add: the rows of this file come to those of the list" disabled={isRunning} />
        </Stack>
      </Radio.Group>
      <Checkbox
        label="Hash values in this browser before they are sent"
        description={
          canHash()
            ? 'Each value is brought into one spelling and replaced by its SHA-256 here, so the values themselves never leave this computer. Leads are compared by the same hash. Phone numbers of other countries need the plus sign and country code.'
            : 'Not available: browsers hash on pages with HTTPS only.'
        }
        checked={toHash}
        disabled={isRunning || !canHash()}
        onChange={({ currentTarget }) => set({ toHash: currentTarget.checked })}
      />
      <Checkbox
        label={`Leave out rows that are not ${LIST_KINDS[kind].many}`}
        description="Otherwise the first such row ends the upload, and nothing of it counts."
        checked={skipInvalid}
        disabled={isRunning}
        onChange={({ currentTarget }) => set({ skipInvalid: currentTarget.checked })}
      />
    </>
  );
}

function RunState({ run, onCancel }: { readonly run: Run | null; readonly onCancel: () => void }): ReactNode {
  if (run?.state === 'failed') return <UploadFailure error={run.error} />;
  return (
    <Stack gap="xs">
      {run?.state === 'running' && (
        <>
          <progress value={run.progress.share} max={1} aria-label="Progress of the upload" style={{ width: '100%' }} />
          <Group>
            <Button variant="default" onClick={onCancel}>
              Cancel upload
            </Button>
          </Group>
        </>
      )}
      <Text size="sm" role="status">
        {run === null ? '' : stateWords(run)}
      </Text>
    </Stack>
  );
}

function stateWords(run: Exclude<Run, { readonly state: 'failed' }>): string {
  if (run.state === 'cancelled') return 'Cancelled. Nothing of the file counts.';
  if (run.state === 'running') {
    const { share, rows } = run.progress;
    return `${Math.floor(share * 100)} %, ${count(rows, 'row')} read. Nothing counts before the end.`;
  }
  const { load, leftOut } = run;
  const left = load.rejected + leftOut;
  return `Uploaded: ${count(load.entries, 'different entry', 'different entries')}${left === 0 ? '' : `, ${count(left, 'row')} left out`}. They count from now on.${recentWords(load)}`;
}

function recentWords({ entries, recentLeads, recentMatches }: LoadView): string {
  if (recentLeads === null || recentMatches === null || recentLeads === 0) return '';
  const found = ` ${count(recentMatches, 'entry matches', 'entries match')} the ${count(recentLeads, 'lead')} of the last 30 days that were compared.`;
  const isStrange = recentMatches === 0 && entries > 0;
  return isStrange ? `${found} If you expect some, check the form of the values, or of what was hashed.` : found;
}

function UploadFailure({ error }: { readonly error: unknown }): ReactNode {
  if (!(error instanceof InvalidRow)) return <Failure error={error} title="Nothing was loaded" />;
  return (
    <Alert color="red" variant="outline" title="Nothing was loaded" role="alert">
      <Text size="sm">
        Row {formatNumber(error.row)} of the file cannot be taken: {error.message} Correct the file, choose another
        column, or leave out such rows.
      </Text>
    </Alert>
  );
}
