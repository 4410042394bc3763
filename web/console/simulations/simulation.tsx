// The page of dry runs: start, list, progress, result, and applying the change.
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import type { ShownSimulation, SimulationOnConsole } from '../../../src/console/simulations.schema.ts';
import { request } from '../console-api.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/facts.tsx';
import { textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatNumber } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { notify, notifyFailure } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Time, ZoneNote } from '../../ui/zone.tsx';
import { ChangeReview } from '../changes/change-review.tsx';
import { useReview } from '../changes/use-review.ts';
import type { ConfigurationInput } from '../configuration/configuration-api.ts';
import { Crumbs } from '../crumbs.tsx';
import { formOf } from '../configuration/form-paths.ts';
import { InputFaults } from './input-faults.tsx';
import { NewSimulation } from './new-simulation.tsx';
import { SimulationOutcome } from './simulation-outcome.tsx';
import { useSimulation, useSimulations, useTried } from './simulation-queries.tsx';

const FILTERS = { id: textFilter };

const STATES: Readonly<Record<SimulationOnConsole['state'], readonly [words: string, tone: Tone]>> = {
  running: ['running', 'warn'],
  done: ['done', 'good'],
  refused: ['input has errors', 'bad'],
  cancelled: ['canceled', 'idle'],
  failed: ['failed', 'bad'],
};

export function SimulationPage(): ReactNode {
  const [{ id }] = useFilters(FILTERS);
  return id === '' ? <Overview /> : <One key={id} id={id} />;
}

function Overview(): ReactNode {
  const query = useSimulations();
  return (
    <Page title="Dry run" description="Replays recent leads with another configuration. Nothing is changed or sent.">
      <NewSimulation />
      <Section title="Recent dry runs">
        <Text size="sm" c="dimmed">
          <ZoneNote />
        </Text>
        <Loaded query={query} what="Loading dry runs">
          {({ data }) => (
            <DataTable
              caption="Recent dry runs"
              columns={COLUMNS}
              rows={data}
              rowKey={({ id }) => id}
              empty={
                <Empty title="No dry runs yet">
                  Start one here with a file, or from the review of a change to a partner or offer.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

const COLUMNS: Array<Column<SimulationOnConsole>> = [
  {
    key: 'started',
    title: 'Started',
    cell: ({ id, createdAt }) => (
      <PageLink to="/simulation" search={{ id }}>
        <Time at={createdAt} kind="short" />
      </PageLink>
    ),
  },
  { key: 'operator', title: 'By', cell: ({ operator }) => operator },
  { key: 'days', title: 'Days', numeric: true, cell: ({ days }) => formatNumber(days) },
  { key: 'state', title: 'Status', cell: ({ state }) => <StateWords state={state} /> },
];

function StateWords({ state }: Pick<SimulationOnConsole, 'state'>): ReactNode {
  const [words, tone] = STATES[state];
  return <Status tone={tone}>{words}</Status>;
}

function One({ id }: { readonly id: string }): ReactNode {
  const query = useSimulation(id);
  return (
    <Page
      title="Dry run"
      description={
        <Crumbs>
          <PageLink to="/simulation">All dry runs</PageLink>
          {query.data !== undefined && <span>{count(query.data.days, 'day')}</span>}
          {query.data !== undefined && (
            <span>
              started by {query.data.operator}, <Time at={query.data.createdAt} />
            </span>
          )}
          {query.data !== undefined && <StateWords state={query.data.state} />}
        </Crumbs>
      }
    >
      <Loaded query={query} what="Loading the dry run">
        {(simulation) => (
          <>
            <Outcome simulation={simulation} />
            <NextSteps simulation={simulation} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Outcome({ simulation }: { readonly simulation: ShownSimulation }): ReactNode {
  const { state, result, faults } = simulation;
  if (state === 'running') return <Running simulation={simulation} />;
  if (state === 'refused') return <InputFaults faults={faults} />;
  if (result !== null) return <SimulationOutcome result={result} days={simulation.days} />;
  return (
    <Section title={state === 'cancelled' ? 'Canceled' : 'This dry run failed'}>
      <Text size="sm">
        {state === 'cancelled'
          ? 'The dry run was canceled, so there is no result.'
          : 'The process ended or ran out of memory. Start the dry run again, with fewer days if necessary.'}
      </Text>
    </Section>
  );
}

function Running({ simulation: { id, progress } }: { readonly simulation: ShownSimulation }): ReactNode {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { done, all } = progress;
  const share = all === null || all === 0 ? 0 : (100 * done) / all;
  const words =
    all === null ? 'Reading the initial state …' : `Replayed ${formatNumber(done)} of ${formatNumber(all)} decisions`;
  const cancel = async (): Promise<void> => {
    setBusy(true);
    try {
      await request('POST /console/api/simulations/:simulationId/cancel', { params: { simulationId: id } });
      await queries.invalidateQueries({ queryKey: ['simulation', id] });
    } catch (failure) {
      notifyFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title="Running"
      actions={
        <Button variant="default" onClick={() => void cancel()} loading={isBusy}>
          Cancel
        </Button>
      }
    >
      <Stack gap="xs">
        <Progress.Root size="lg">
          <Progress.Section
            value={all === null ? 3 : Math.max(3, share)}
            aria-label="Progress of the dry run"
            animated
            striped
          />
        </Progress.Root>
        <Text size="sm" role="status">
          {words}
        </Text>
        <Text size="xs" c="dimmed">
          The dry run continues if you leave this page.
        </Text>
      </Stack>
    </Section>
  );
}

/** Buttons to go back to the form or to apply the change. */
function NextSteps({ simulation }: { readonly simulation: ShownSimulation }): ReactNode {
  const { id, state } = simulation;
  const tried = useTried(id);
  const navigate = useNavigate();
  const review = useReview();
  const { faults, error } = review;
  if (tried === undefined || tried === null || state === 'running') return null;
  const { version, ...input } = tried;
  const form = formOf(input, id);
  return (
    <>
      {faults.length > 0 && <InputFaults faults={faults} title="The change can no longer be applied" />}
      {error !== null && <Failure error={error} />}
      <Group>
        {form !== null && (
          <ButtonLink variant="default" to={form.to} params={form.params} search={form.search}>
            Edit this change
          </ButtonLink>
        )}
        {state === 'done' && (
          <Button onClick={() => void review.start(input, version)} loading={review.isBusy}>
            Review and apply
          </Button>
        )}
      </Group>
      <ChangeReview
        {...review.dialog}
        seen={version}
        onApplied={() => {
          review.close();
          notify('Change applied. All processes use it within 5 seconds.');
          if (form === null) return;
          const { draft: _tried, ...search } = form.search;
          void navigate({ to: appliedRoute(form.to), params: routeOfNew(form.params, input), search });
        }}
      />
    </>
  );
}

const NEW: Readonly<Record<string, string>> = {
  '/suppliers/new': '/suppliers/$supplierKey',
  '/partners/new': '/partners/$partnerKey',
  '/partners/$partnerKey/offers/new': '/partners/$partnerKey/offers/$offerKey',
};

/** The page of a new entry after it was created. */
function appliedRoute(to: string): string {
  return NEW[to] ?? to;
}

function routeOfNew(
  params: Readonly<Record<string, string>>,
  { fragment }: ConfigurationInput,
): Readonly<Record<string, string>> {
  const supplierKey = fragment?.suppliers?.[0]?.key;
  const partnerKey = fragment?.partners?.[0]?.key;
  const offerKey = fragment?.partners?.[0]?.offers?.[0]?.key;
  return {
    ...params,
    ...(supplierKey === undefined ? {} : { supplierKey }),
    ...(partnerKey === undefined ? {} : { partnerKey }),
    ...(offerKey === undefined ? {} : { offerKey }),
  };
}
