// Reads a report for the overview, again every half minute.
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import type { ReportQuestion } from '../../../src/reports/report-question.schema.ts';
import { request } from '../console-api.ts';

/** The measures of the tiles. */
export const DECIDED_BY = ['revenue', 'cost', 'margin', 'sellThrough', 'returnRate'] as const;

const REFETCH_EVERY_MS = 30_000;

export function useReport(query: ReportQuestion) {
  return useQuery({
    queryKey: ['report', query],
    queryFn: ({ signal }) => request('GET /console/api/reports', { query, signal }),
    refetchInterval: REFETCH_EVERY_MS,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
