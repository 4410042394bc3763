// The supplier's page of reports: its own leads and earnings.
import type { ReactNode } from 'react';

import { ReportsFrame } from '../../../ui/reports/reports-frame.tsx';
import type { Choices } from '../../../ui/reports/question-form.tsx';
import { MEASURE_NAMES } from '../../../ui/reports/words.ts';
import { download, request } from '../../portal-api.ts';

/** What the service answers to a supplier (contract 12.1). */
const CHOICES: Choices = {
  dimensions: ['day', 'week', 'month', 'hour', 'weekday', 'source', 'campaign', 'state', 'scoreBand'],
  measures: ['submitted', 'accepted', 'refused', 'sold', 'unsold', 'sellThrough', 'returned', 'returnRate', 'cost'],
  measureNames: { ...MEASURE_NAMES, cost: 'Net earned' },
};

export function ReportsPage(): ReactNode {
  return (
    <ReportsFrame
      choices={CHOICES}
      start={{ by: 'day', measures: 'submitted,sold,sellThrough,cost' }}
      note="Leads count on the day on which you sent them, money on the day on which it was posted. Sell-through is sold leads as a share of sold, duplicate and no-buyer ones; the overview’s share is of all submitted. Net earned is what sales earned, less what was taken back for returns."
      read={(query, signal) => request('GET /portal/api/supplier/reports', { query, signal })}
      download={(query) => download('GET /portal/api/supplier/reports.csv', { query })}
    />
  );
}
