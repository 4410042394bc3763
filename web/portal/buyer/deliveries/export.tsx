// The CSV export of all fields of deliveries, with the filters and search of the list.
import { Button } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ExportRequest } from '../../../../src/portal/buyer/deliveries.schema.ts';
import { ExcelChoice } from '../../../ui/excel-choice.tsx';
import { count, formatNumber } from '../../../ui/formats.ts';
import { notify, notifyFailure } from '../../../ui/notify.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { download } from '../../portal-api.ts';
import type { Filters } from './deliveries-filters.tsx';

export function Export({
  filters,
  total,
}: {
  readonly filters: Filters;
  /** Rows of the list; undefined until known. */
  readonly total: number | undefined;
}): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: async (isForExcel: boolean) =>
      saveFile(
        await download('POST /portal/api/buyer/deliveries/export', {
          body: bodyOf(filters),
          query: isForExcel ? { for: 'excel' } : {},
        }),
      ),
    onSuccess: (name) =>
      notify(
        `Saved ${name}: ${total === undefined ? 'deliveries' : count(total, 'delivery', 'deliveries')}${filterWords(filters)}.`,
      ),
    onError: notifyFailure,
  });
  const start = (isForExcel: boolean): void => {
    // Not disabled during the export: a disabled button loses the focus.
    if (!isPending) mutate(isForExcel);
  };
  return (
    <Button.Group>
      <Button
        variant="default"
        onClick={() => start(false)}
        aria-busy={isPending}
        title="Exports all fields of these deliveries, with the filters and search of the list"
        leftSection={<DownloadIcon aria-hidden="true" />}
      >
        {isPending
          ? 'Exporting …'
          : total === undefined
            ? 'Export all fields'
            : `Export all fields (${formatNumber(total)})`}
      </Button>
      <ExcelChoice onChoose={() => start(true)} />
    </Button.Group>
  );
}

function bodyOf({ status, eventType, offer, claim, source, state, search, from, to }: Filters): ExportRequest {
  return {
    ...(status === '' ? {} : { status }),
    ...(eventType === '' ? {} : { eventType }),
    ...(offer === '' ? {} : { offer }),
    ...(claim === '' ? {} : { claim }),
    ...(source === '' ? {} : { source }),
    ...(state === '' ? {} : { state }),
    ...(search === '' ? {} : { search }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
  };
}

/** `, Confirmed, “jordan”, from 2026-11-14` */
function filterWords({ status, eventType, offer, claim, source, state, search, from, to }: Filters): string {
  const parts = [
    status,
    eventType,
    offer === '' ? '' : `offer ${offer}`,
    claim === '' ? '' : `claim ${claim}`,
    source === '' ? '' : `source ${source}`,
    state,
    search === '' ? '' : `search “${search}”`,
    from === '' ? '' : `from ${from}`,
    to === '' ? '' : `to ${to}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}
