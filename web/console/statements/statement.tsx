// The page of one statement of a supplier, with its document and lines to download.
import { Button } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { RequestError } from '../../ui/request.ts';
import { StatementSections } from '../../ui/statement.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { request } from '../console-api.ts';
import { monthName } from '../invoices/months.ts';

const FORMS = [
  ['pdf', '', 'PDF'],
  ['html', '', 'HTML'],
  ['csv', '', 'CSV'],
  ['csv', '&for=excel', 'CSV for Excel'],
] as const;

export function StatementPageOf({ name }: { readonly name: string }): ReactNode {
  const query = useQuery({
    queryKey: ['statements', 'one', name],
    queryFn: ({ signal }) =>
      request('GET /console/api/statements/:statementId', { params: { statementId: name }, signal }),
  });
  const statement = query.data;
  const back = (
    <ButtonLink to="/statements" variant="default">
      All statements
    </ButtonLink>
  );
  if (statement === undefined) {
    const isUnknown = query.error instanceof RequestError && query.error.status === 404;
    return (
      <Page title="Statement" actions={back}>
        {isUnknown ? (
          <Empty title="Statement not found">The address may be mistyped. Find the statement in the list.</Empty>
        ) : query.isError ? (
          <Failure error={query.error} title="This could not be loaded" onRetry={() => void query.refetch()} />
        ) : (
          <Loading what="Loading the statement" />
        )}
      </Page>
    );
  }
  const { number, supplierName, month, timeZone } = statement;
  return (
    <Page
      title={number}
      description={`${supplierName}, ${monthName(month)} in ${timeZone}`}
      actions={
        <>
          {FORMS.map(([form, more, title]) => (
            <Button
              key={title}
              component="a"
              variant="default"
              href={`/console/api/statements/${number}/document?form=${form}${more}`}
              download={`${number}.${form}`}
              leftSection={<DownloadIcon aria-hidden="true" />}
            >
              {title}
            </Button>
          ))}
          {back}
        </>
      }
    >
      <StatementSections statement={statement} />
    </Page>
  );
}
