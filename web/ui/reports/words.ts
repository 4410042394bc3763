// The words and formats of a report: names of dimensions and measures, keys and values as people read them, and changes in words.
import type { Report, ReportDimension, ReportMeasure, ReportSpanName } from '../../../src/reports/report.schema.ts';
import { formatDate, formatMoney, formatMonth, formatNumber, formatShare, formatSpan } from '../formats.ts';

export const DIMENSION_NAMES: Readonly<Record<ReportDimension, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  hour: 'Hour of the day',
  weekday: 'Weekday',
  supplier: 'Supplier',
  source: 'Source',
  campaign: 'Campaign',
  partner: 'Partner',
  offer: 'Offer',
  eventType: 'Event type',
  state: 'State',
  scoreBand: 'Score',
  priceBand: 'Price',
};

export const MEASURE_NAMES: Readonly<Record<ReportMeasure, string>> = {
  submitted: 'Leads submitted',
  accepted: 'Accepted',
  refused: 'Rejected',
  sold: 'Sold',
  unsold: 'Unsold',
  sellThrough: 'Sell-through',
  deliveries: 'Deliveries',
  confirmed: 'Confirmed',
  kept: 'Kept',
  failed: 'Failed',
  rejectionRate: 'Rejection rate',
  responses: 'Responses of the partner',
  rejected: 'Rejected by the partner',
  duplicates: 'Duplicates at the partner',
  rejectedRate: 'Rejected of responses',
  duplicateRate: 'Duplicates of responses',
  returned: 'Returned',
  returnRate: 'Return rate',
  revenue: 'Revenue',
  cost: 'Cost',
  margin: 'Margin',
  averagePrice: 'Average price',
  medianSeconds: 'Median time to delivery',
};

export const SPAN_NAMES: Readonly<Record<ReportSpanName, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  'last-7-days': 'Last 7 days',
  'last-30-days': 'Last 30 days',
  'last-90-days': 'Last 90 days',
  'last-365-days': 'Last 365 days',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-year': 'This year',
};

const MONEY: readonly ReportMeasure[] = ['revenue', 'cost', 'margin', 'averagePrice'];
const SHARES: readonly ReportMeasure[] = [
  'sellThrough',
  'rejectionRate',
  'rejectedRate',
  'duplicateRate',
  'returnRate',
];
const TIMES: readonly ReportDimension[] = ['day', 'week', 'month', 'hour', 'weekday'];

export const isTime = (name: ReportDimension | undefined): boolean => TIMES.some((one) => one === name);

/** Whether the values of rows add up to that of the total, so that a chart may stack them. */
export const isAdditive = (name: ReportMeasure): boolean =>
  !SHARES.includes(name) && name !== 'averagePrice' && name !== 'medianSeconds';

/** `null` is a measure without a value, such as a rate of nothing. */
export function valueInWords(name: ReportMeasure, value: number | null | undefined, currency: string): string {
  if (value === null || value === undefined) return '—';
  if (MONEY.includes(name)) return formatMoney(value, currency);
  if (SHARES.includes(name)) return formatShare(value);
  return name === 'medianSeconds' ? formatSpan(value * 1000) : formatNumber(value);
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** `names`: those of the report, for the keys of suppliers, partners and offers. */
export function keyInWords(name: ReportDimension, key: string | null, names: Report['names'] = {}): string {
  if (key === null) return '(none)';
  switch (name) {
    case 'day':
      return formatDate(key);
    case 'week':
      return `Week of ${formatDate(key)}`;
    case 'month':
      return formatMonth(`${key}-15`);
    case 'hour':
      return `${key}:00`;
    case 'weekday':
      return WEEKDAYS[Number(key) - 1] ?? key;
    default:
      return names[name]?.[key] ?? key;
  }
}

/** From here on a share of the value before is harder to read than a factor. */
const TIMES_FROM = 10;

/** How a value differs from that of the span before: `+12.5%`, `-2.1 points`, `12×`; null if one of them has no value. */
export function changeInWords(
  name: ReportMeasure,
  { now, before }: { readonly now: number | null | undefined; readonly before: number | null | undefined },
): string | null {
  if (now === null || now === undefined || before === null || before === undefined) return null;
  if (now === before) return 'unchanged';
  const sign = now > before ? '+' : '-';
  if (SHARES.includes(name)) return `${sign}${(Math.abs(now - before) * 100).toFixed(1)} points`;
  // A share of nothing, or of a loss, says nothing.
  if (before === 0) return 'none before';
  if (before < 0) return now > before ? 'more than before' : 'less than before';
  if (now / before >= TIMES_FROM) return `${formatNumber(Math.round(now / before))}×`;
  return `${sign}${formatShare(Math.abs(now - before) / before)}`;
}
