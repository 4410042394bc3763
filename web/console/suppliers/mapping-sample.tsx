// A sample of a supplier's leads: suggests a field mapping for it, and shows how a lead like it would be read.
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { MappingTrial, MappingTrialInput } from '../../../src/console/mapping-trial.schema.ts';
import { count } from '../../ui/formats.ts';
import { ReadingTable } from '../../ui/reading-table.tsx';
import { RequestError } from '../../ui/request.ts';
import { Failure } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Mapping } from '../configuration/configuration-api.ts';
import { request } from '../console-api.ts';

/** The verticals of the supplier, by which a lead is read. */
export type OfVerticals = Pick<MappingTrialInput, 'vertical' | 'verticals'>;

const PLACEHOLDER = '{ "fname": "Jordan", "lname": "Rivera", "mobile": "(555) 555-0123", "ts": 1763658191 }';
/** After the last change of the mapping, before a request. */
const TYPING_MS = 400;

export function MappingSample({
  mapping,
  of,
  onSuggest,
  onMap,
}: {
  readonly mapping: Mapping;
  readonly of: OfVerticals;
  /** Called with what the mapping lacks for the sample. */
  readonly onSuggest: (suggested: Mapping) => void;
  /** Called with a name of the sample that the operator wants to map. */
  readonly onMap: (name: string) => void;
}): ReactNode {
  const [text, setText] = useState('');
  /** The sample that was read last; empty for none. */
  const [sample, setSample] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const read = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const body = { ...of, sample: text, mapping };
      const { suggested } = await request('POST /console/api/mapping-trial', { body });
      const added = Object.keys(suggested).length;
      if (added > 0) onSuggest(suggested);
      setNote(added === 0 ? 'Nothing to add to the mapping.' : `Added ${count(added, 'mapping')}: check them below.`);
      setSample(text);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const fault = error instanceof RequestError ? error.faults.find(({ field }) => field === 'sample') : undefined;
  return (
    <Stack gap="xs">
      <Textarea
        label="Sample"
        description="Paste one lead as the supplier sends it, as JSON. It is not stored."
        placeholder={PLACEHOLDER}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        error={fault?.message}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {error !== null && fault === undefined && <Failure error={error} />}
      <Group gap="sm">
        <Button variant="default" size="xs" loading={isBusy} disabled={text.trim() === ''} onClick={() => void read()}>
          Suggest a mapping
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {note}
        </Text>
      </Group>
      {sample !== '' && <Trial input={{ ...of, sample, mapping }} onMap={onMap} />}
    </Stack>
  );
}

function Trial({
  input,
  onMap,
}: {
  readonly input: MappingTrialInput;
  readonly onMap: (name: string) => void;
}): ReactNode {
  const [body] = useDebouncedValue(input, TYPING_MS, { leading: true });
  const query = useQuery({
    // The order of a mapping matters, so its text is the key.
    queryKey: ['configuration', 'mapping-trial', JSON.stringify(body)],
    queryFn: ({ signal }) => request('POST /console/api/mapping-trial', { body, signal }),
    placeholderData: keepPreviousData,
  });
  if (query.data === undefined) return query.error === null ? null : <Failure error={query.error} />;
  const { reading } = query.data;
  return (
    <Stack gap="xs">
      <Text size="sm" component="p" m={0} role="status">
        <Verdict trial={query.data} />
      </Text>
      <ReadingTable reading={reading} isRejected={false} />
      {reading.extra.length > 0 && (
        <Group gap="xs">
          <Text size="sm">Map further:</Text>
          {reading.extra.map((name) => (
            <Button key={name} variant="default" size="compact-xs" onClick={() => onMap(name)}>
              {name}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

function Verdict({ trial: { isAccepted, reason, score } }: { readonly trial: MappingTrial }): ReactNode {
  return isAccepted ? (
    <>
      <Status tone="good">Accepted</Status> A lead like this would get the score {score}.
    </>
  ) : (
    <>
      <Status tone="bad">Rejected</Status> A lead like this would be refused: {reason}.
    </>
  );
}
