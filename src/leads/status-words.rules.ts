// What the public status of a lead says to its supplier (contract 4.1). Who bought it, for how much, and why a buyer did not,
// is not for suppliers.
import type { PublicStatus } from './settle-leads.ts';

const LIVE: Readonly<Record<PublicStatus, string>> = {
  Pending:
    'Accepted, and not decided yet. Most leads are decided within seconds; one may wait some minutes for a buyer to open.',
  'Lead Sale': 'Sold.',
  'Calendar Assigned': 'Sold as a booked call.',
  Duplicate: 'Not sold: every buyer who would take it already had this person.',
  'No Buyer': 'Not sold: no buyer was open for it.',
  Invalid: 'Rejected: it failed the checks and was not passed on.',
};

const ON_PAPER: Readonly<Record<PublicStatus, string>> = {
  Pending: LIVE.Pending,
  'Lead Sale': 'It would have been sold as a Lead Sale. It is a test, so nobody got it.',
  'Calendar Assigned': 'It would have been sold as a booked call. It is a test, so nobody got it.',
  Duplicate: 'It would not have been sold: every buyer who would take it already had this person.',
  'No Buyer': 'It would not have been sold: no buyer was open for it.',
  Invalid: 'It would have been rejected: it failed the checks.',
};

export function statusInWords(status: PublicStatus, isTest: boolean): string {
  return (isTest ? ON_PAPER : LIVE)[status];
}
