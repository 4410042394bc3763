// The dialog that reviews a configuration change: the difference, a dry run against recent leads, and applying it.
import { Alert, Button, Group, List, Modal, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

import { count } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { RequestError } from '../../ui/request.ts';
import { Failure } from '../../ui/states.tsx';
import { Time } from '../../ui/zone.tsx';
import { Attention } from '../attention.tsx';
import { previewChange, reviewed, type ReviewedChange, startSimulation, useApply } from './change-steps.ts';
import type { AuditedChange, ChangeResult } from '../../../src/console/changes.schema.ts';
import { Difference, FieldList } from './difference.tsx';
import { thingWords } from '../configuration/field-words.ts';

const DAYS = { usual: 7, most: 90 };

export function ChangeReview({
  change,
  seen,
  onChange,
  onApplied,
  onTried,
  onClose,
}: {
  /** Null while the dialog is closed. */
  readonly change: ReviewedChange | null;
  /** The version that the form was loaded from. */
  readonly seen: number;
  /** Called with a new preview if someone else changed the configuration first. */
  readonly onChange: (change: ReviewedChange) => void;
  readonly onApplied: (result: ChangeResult) => void;
  /** Omitted after a dry run of the same change. */
  readonly onTried?: (simulationId: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  return (
    <Modal
      opened={change !== null}
      onClose={onClose}
      title="Review change"
      size="xl"
      fullScreen={isNarrow}
      closeOnClickOutside={false}
    >
      {change !== null && (
        <Review
          change={change}
          seen={seen}
          onChange={onChange}
          onApplied={onApplied}
          onClose={onClose}
          {...(onTried === undefined ? {} : { onTried })}
        />
      )}
    </Modal>
  );
}

type ReviewProps = {
  readonly change: ReviewedChange;
  readonly seen: number;
  readonly onChange: (change: ReviewedChange) => void;
  readonly onApplied: (result: ChangeResult) => void;
  readonly onTried?: (simulationId: string) => void;
  readonly onClose: () => void;
};

function Review({ change, seen, onChange, onApplied, onTried, onClose }: ReviewProps): ReactNode {
  const { changes, notes, meanwhile, unmanaged, stops = [] } = change.result;
  const apply = useApply();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const onApply = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      onApplied(await apply(change));
    } catch (failure) {
      setError(failure);
      if (failure instanceof RequestError && failure.code === 'configuration_changed') {
        onChange(reviewed(change.command, await previewChange(change.command, seen)));
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack>
      {meanwhile.length > 0 && <Meanwhile changes={meanwhile} />}
      {changes.length === 0 ? (
        <Text>No changes: the current configuration is the same.</Text>
      ) : (
        <Difference changes={changes} />
      )}
      <Stops stops={stops} />
      <Notes notes={notes} />
      {unmanaged.length > 0 && <LeftAlone unmanaged={unmanaged} />}
      {error !== null && <Failure error={error} title="Nothing was changed" />}
      {onTried !== undefined && changes.length > 0 && change.command.prune !== true && (
        <Try change={change} seen={seen} onTried={onTried} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          Back
        </Button>
        <Button
          onClick={() => void onApply()}
          loading={isBusy}
          disabled={changes.length === 0}
          {...(stops.length > 0 ? { color: 'red.9' } : { 'data-autofocus': true })}
        >
          {stops.length > 0 ? 'Apply and stop these leads' : 'Apply'}
        </Button>
      </Group>
    </Stack>
  );
}

function Meanwhile({ changes }: { readonly changes: readonly AuditedChange[] }): ReactNode {
  return (
    <Attention title="Changed by someone else" isUrgent>
      <Stack gap="sm">
        {changes.map(({ kind, key, at, actor, changes: fields, action }) => (
          <div key={`${kind} ${key} ${at ?? ''} ${action ?? ''}`}>
            <Text size="sm">
              {thingWords(kind, key)}
              {actor !== null && <>, by {actorWords(actor)}</>}
              {at !== null && (
                <>
                  , <Time at={at} />
                </>
              )}
            </Text>
            {Object.keys(fields).length > 0 && <FieldList fields={fields} isNew={false} />}
          </div>
        ))}
        <Text size="sm">
          The difference below is against the current configuration. Apply it if you still want it, or go back.
        </Text>
      </Stack>
    </Attention>
  );
}

export function actorWords({ type, name }: NonNullable<AuditedChange['actor']>): string {
  if (type === 'operator') return name;
  return type === 'system' ? 'the service' : `the ${type === 'buyer' ? 'partner' : type}`;
}

function Stops({ stops }: { readonly stops: readonly string[] }): ReactNode {
  if (stops.length === 0) return null;
  return (
    <Alert color="red" variant="outline" title="This stops leads" role="alert">
      <List size="sm">
        {stops.map((stop) => (
          <List.Item key={stop}>{stop}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Notes({ notes }: { readonly notes: readonly string[] }): ReactNode {
  if (notes.length === 0) return null;
  return (
    <Attention title="Notes">
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
    </Attention>
  );
}

function LeftAlone({ unmanaged }: { readonly unmanaged: ChangeResult['unmanaged'] }): ReactNode {
  const named = unmanaged.slice(0, 20).map(({ kind, key }) => thingWords(kind, key));
  const more = unmanaged.length - named.length;
  return (
    <Text size="sm" c="dimmed">
      Not in the file, so unchanged: {named.join(', ')}
      {more > 0 && ` and ${more} more`}.
    </Text>
  );
}

function Try({
  change,
  seen,
  onTried,
}: Pick<ReviewProps, 'change' | 'seen'> & { onTried: (id: string) => void }): ReactNode {
  const [days, setDays] = useState<number | string>(DAYS.usual);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      onTried((await startSimulation(change.command, seen, Number(days))).id);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Stack gap="xs" p="sm" bg="var(--lm-quiet-ground)" style={{ borderRadius: 8 }}>
        <Title order={3} fz="sm">
          Not sure about the effect?
        </Title>
        <Group align="flex-end" gap="sm">
          <NumberInput
            label="Days"
            value={days}
            onChange={setDays}
            min={1}
            max={DAYS.most}
            allowDecimal={false}
            w={90}
            required
            withAsterisk={false}
          />
          <Button
            type="submit"
            variant="default"
            loading={isBusy}
            disabled={Number(days) < 1 || Number(days) > DAYS.most}
          >
            Dry run on the last {count(Math.max(1, Number(days) || 1), 'day')}
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          Replays the leads of these days with the change and shows the difference in leads and money. Changes nothing.
        </Text>
        {error !== null && <Failure error={error} />}
        {error instanceof RequestError && error.code === 'simulation_running' && (
          <Text size="sm">
            <PageLink to="/simulation">View running dry run</PageLink>
          </Text>
        )}
      </Stack>
    </form>
  );
}
