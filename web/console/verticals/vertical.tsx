// The page of a vertical with its use and form, and the page for a new one.
import { Text } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';

import type { ShownVertical, VerticalRow } from '../../../src/console/verticals.schema.ts';
import { Facts, Section } from '../../ui/facts.tsx';
import { textFilter, useFilters } from '../../ui/filters.ts';
import { formatNumber } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { RecentChanges } from '../changes/recent-changes.tsx';
import { useMarketplace, useVertical, type VerticalForm } from '../configuration/configuration-api.ts';
import { useDraft } from '../configuration/draft.ts';
import { EditFrame } from '../configuration/edit-frame.tsx';
import { verticalInput } from '../configuration/inputs.ts';
import { newVertical } from '../configuration/new-things.ts';
import { Crumbs } from '../crumbs.tsx';
import { WithTried } from '../simulations/simulation-queries.tsx';
import { CloseVertical } from './close-vertical.tsx';
import { VerticalFields } from './vertical-form.tsx';

const FILTERS = { draft: textFilter };
const ROOT = 'verticals[0]';

export function VerticalPage(): ReactNode {
  const { verticalKey = '' } = useParams({ strict: false }) as { readonly verticalKey?: string };
  const [{ draft }] = useFilters(FILTERS);
  const query = useVertical(verticalKey);
  return (
    <Page
      title={query.data?.vertical.name ?? verticalKey}
      description={
        <Crumbs>
          <PageLink to="/verticals">Verticals</PageLink>
          <span>{verticalKey}</span>
          {query.data !== undefined && <Status>{query.data.vertical.status}</Status>}
        </Crumbs>
      }
      actions={query.data !== undefined && <CloseVertical response={query.data} />}
    >
      <Loaded query={query} what="Loading the vertical">
        {(response) => (
          <>
            <Use vertical={response.vertical} />
            <WithTried id={draft}>
              {(tried) => (
                <VerticalEditor key={verticalKey} response={response} overlay={tried?.fragment?.verticals?.[0] ?? {}} />
              )}
            </WithTried>
            <RecentChanges kind="vertical" thing={verticalKey} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Use({ vertical: { key, suppliers, offers } }: { readonly vertical: VerticalRow }): ReactNode {
  return (
    <Section title="Use">
      <Facts
        columns={3}
        facts={[
          [
            'Suppliers that post into it',
            suppliers.length === 0 ? (
              'None'
            ) : (
              <Text key="suppliers" span inherit>
                {suppliers.map((supplierKey, index) => (
                  <Fragment key={supplierKey}>
                    {index > 0 && ', '}
                    <PageLink to="/suppliers/$supplierKey" params={{ supplierKey }}>
                      {supplierKey}
                    </PageLink>
                  </Fragment>
                ))}
              </Text>
            ),
          ],
          ['Offers that buy from it', offers === 0 ? 'None' : formatNumber(offers)],
          [
            'Leads',
            <PageLink key="leads" to="/leads" search={{ vertical: key }}>
              View leads
            </PageLink>,
          ],
        ]}
      />
    </Section>
  );
}

function VerticalEditor({
  response: { version, vertical },
  overlay,
}: {
  readonly response: ShownVertical;
  readonly overlay: Partial<VerticalForm>;
}): ReactNode {
  const { suppliers: _suppliers, offers: _offers, ...form } = vertical;
  const draft = useDraft<VerticalForm>(form, version, overlay);
  return (
    <EditFrame draft={draft} input={verticalInput(draft, false)} root={ROOT} label="Settings of the vertical">
      {(faults) => <VerticalFields draft={draft} faults={faults} isNew={false} />}
    </EditFrame>
  );
}

export function NewVerticalPage(): ReactNode {
  const [{ draft }] = useFilters(FILTERS);
  const query = useMarketplace();
  return (
    <Page title="New vertical" description={<PageLink to="/verticals">Verticals</PageLink>}>
      <Loaded query={query}>
        {({ version }) => (
          <WithTried id={draft}>
            {(tried) => <NewVertical version={version} overlay={tried?.fragment?.verticals?.[0] ?? {}} />}
          </WithTried>
        )}
      </Loaded>
    </Page>
  );
}

function NewVertical({
  version,
  overlay,
}: {
  readonly version: number;
  readonly overlay: Partial<VerticalForm>;
}): ReactNode {
  const navigate = useNavigate();
  const draft = useDraft<VerticalForm>(newVertical, version, overlay);
  return (
    <EditFrame
      draft={draft}
      input={verticalInput(draft, true)}
      root={ROOT}
      label="New vertical"
      onApplied={() =>
        void navigate({
          to: '/verticals/$verticalKey',
          params: { verticalKey: draft.values.key.trim() },
          search: {},
        })
      }
    >
      {(faults) => <VerticalFields draft={draft} faults={faults} isNew />}
    </EditFrame>
  );
}
