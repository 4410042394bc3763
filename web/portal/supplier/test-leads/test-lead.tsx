// The page that posts a test lead like a real one, and shows the response and the simulated decision.
import { Alert, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { Specification } from '../../../../src/portal/supplier/specification.schema.ts';
import type { TestLead, TestLeadResponse } from '../../../../src/portal/supplier/test-leads.schema.ts';
import { choiceFilter, textFilter, useFilters } from '../../../ui/filters.ts';
import { Page } from '../../../ui/page.tsx';
import { RequestError } from '../../../ui/request.ts';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { request } from '../../portal-api.ts';
import { NotApprovedNotice } from '../not-approved-notice.tsx';
import { TestLeadForm } from './test-lead-form.tsx';
import { TestLeadResult } from './test-lead-result.tsx';

const FILTERS = { as: choiceFilter(['', 'fields', 'json']), from: textFilter };

export function TestLeadPage(): ReactNode {
  const [{ as, from }, setFilters] = useFilters(FILTERS);
  const query = useQuery({
    queryKey: ['account', 'test-lead', from],
    queryFn: async ({ signal }) => {
      const [specification, submission] = await Promise.all([
        request('GET /portal/api/supplier/specification', { signal }),
        from === ''
          ? null
          : request('GET /portal/api/supplier/submissions/:leadId', { params: { leadId: from }, signal }),
      ]);
      return { specification, submission };
    },
    // A refetch must not replace what the user is typing.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <Page
      title="Test lead"
      description="Checked, scored and routed like a real lead, but only simulated: nothing is sold, counted or billed."
    >
      <Loaded query={query} what="Preparing the form">
        {({ specification, submission }) => (
          <Stack gap="lg">
            <NotApprovedNotice status={specification.status} />
            <Posting
              key={from}
              specification={specification}
              body={submission === null || submission.bodyBytes !== null ? null : submission.body}
              way={as === '' ? (from === '' ? 'fields' : 'json') : as}
              onWay={(way) => setFilters({ as: way })}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Posting({
  specification,
  body,
  way,
  onWay,
}: {
  readonly specification: Specification;
  /** The body of a submission that is posted again; null for the example. */
  readonly body: string | null;
  readonly way: 'fields' | 'json';
  readonly onWay: (way: 'fields' | 'json') => void;
}): ReactNode {
  const [faults, setFaults] = useState<readonly string[]>([]);
  const posting = useMutation({
    mutationFn: (lead: TestLead['lead']) => request('POST /portal/api/supplier/test-leads', { body: { lead } }),
    onSuccess: (response) => setFaults(faultsOf(response)),
  });
  return (
    <>
      <TestLeadForm
        specification={specification}
        body={body}
        way={way}
        faults={faults}
        isBusy={posting.isPending}
        onWay={onWay}
        onPost={posting.mutate}
      />
      <div aria-live="polite">
        {posting.isPending && (
          <Text size="sm" c="dimmed">
            <Loader size="xs" aria-hidden="true" /> Posting …
          </Text>
        )}
        {posting.isError && <Refused error={posting.error} />}
        {posting.data !== undefined && !posting.isPending && (
          <TestLeadResult key={posting.submittedAt} response={posting.data} />
        )}
      </div>
    </>
  );
}

/** Errors before the lead itself is checked. */
function Refused({ error }: { readonly error: unknown }): ReactNode {
  if (!(error instanceof RequestError) || error.status === 0) return <Failure error={error} title="Not posted" />;
  return (
    <Alert variant="outline" color="red" title={`${error.status} ${error.code}`} role="alert">
      {error.message}
      {error.code === 'rate_limited' && ' Wait a few seconds and post it again.'}
      {error.code === 'supplier_not_approved' && ' A real lead would get the same response.'}
    </Alert>
  );
}

function faultsOf({ status, body }: TestLeadResponse): readonly string[] {
  if (status !== 422) return [];
  const { reason } = JSON.parse(body) as { readonly reason?: string };
  return reason?.split('; ') ?? [];
}
