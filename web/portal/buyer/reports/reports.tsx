// The partner's page of reports: its own deliveries and spend.
import type { ReactNode } from 'react';

import { ReportsFrame } from '../../../ui/reports/reports-frame.tsx';
import type { Choices } from '../../../ui/reports/question-form.tsx';
import { MEASURE_NAMES } from '../../../ui/reports/words.ts';
import { download, request } from '../../portal-api.ts';

/** What the service answers to a partner (contract 12.1). */
const CHOICES: Choices = {
  dimensions: ['day', 'week', 'month', 'hour', 'weekday', 'offer', 'eventType', 'state', 'priceBand'],
  measures: [
    'deliveries',
    'failed',
    'rejectionRate',
    'returned',
    'returnRate',
    'revenue',
    'averagePrice',
    'medianSeconds',
  ],
  measureNames: { ...MEASURE_NAMES, revenue: 'Spent' },
};

export function ReportsPage(): ReactNode {
  return (
    <ReportsFrame
      choices={CHOICES}
      start={{ by: 'day', measures: 'deliveries,revenue,returnRate' }}
      note="Deliveries and returns count on the day of the delivery. Money counts on the day on which it was posted, as under Billing: a credit lowers what you spent on the day of the credit, while the overview takes it off the day of the delivery."
      read={(query, signal) => request('GET /portal/api/buyer/reports', { query, signal })}
      download={(query) => download('GET /portal/api/buyer/reports.csv', { query })}
    />
  );
}
