// What the notices to operators say (contract 12.3).
import { localTime } from '../platform/outbound/mail/mail-page.rules.ts';
import type { NoticeData } from './notice.ts';
import type { NoticeReader, Texts } from './notice-text.ts';

export type OperatorKind =
  | 'dead.letters'
  | 'supplier.acceptance_low'
  | 'supplier.sell_through_low'
  | 'supplier.silent'
  | 'partner.rejecting'
  | 'offer.rejecting'
  | 'claim.due'
  | 'process.gone'
  | 'account.left_out';

const at = (time: string, { timeZone }: NoticeReader): string => localTime(new Date(time), timeZone);
const of = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const page = (name: string, path: string) => ({ path: `/console${path}`, name: `${name} in the console` });

export const operatorTexts: Texts<OperatorKind> = {
  'dead.letters': ({ deliveries, jobs, since, until }, reader) => ({
    title: `${of(deliveries, 'delivery', 'deliveries')} and ${of(jobs, 'job', 'jobs')} failed for good`,
    sentences: ['They are not tried again by themselves. Look at the reason, fix it, and requeue them.'],
    facts: [
      ['From', at(since, reader)],
      ['Until', at(until, reader)],
    ],
    page: page('Dead letters', '/jobs'),
  }),
  'supplier.acceptance_low': (data) => ({
    title: `Far fewer leads of ${data.supplier} are accepted than usual`,
    sentences: ['Something in its submissions may have changed. The reasons for the refusals are on its page.'],
    facts: belowUsual(data, 'Accepted'),
    page: page('Suppliers', `/suppliers/${encodeURIComponent(data.supplier)}`),
  }),
  'supplier.sell_through_low': (data) => ({
    title: `Far fewer leads of ${data.supplier} are sold than usual`,
    sentences: ['The leads or the offers that buy them may have changed.'],
    facts: belowUsual(data, 'Sold'),
    page: page('Suppliers', `/suppliers/${encodeURIComponent(data.supplier)}`),
  }),
  'supplier.silent': ({ supplier, usual, hours, since }, reader) => ({
    title: `${supplier} has submitted nothing for ${of(hours, 'hour', 'hours')}`,
    sentences: ['It usually does. Ask whether its side works, and whether its key is still valid.'],
    facts: [
      ['Last submission', at(since, reader)],
      ['Usual in this time', of(usual, 'submission', 'submissions')],
    ],
    page: page('Suppliers', `/suppliers/${encodeURIComponent(supplier)}`),
  }),
  'partner.rejecting': ({ partner, deliveries, failed, failedPercent, day }) => ({
    title: `${failedPercent} % of the deliveries to ${partner} fail`,
    sentences: ['Its endpoint rejects them, or cannot be reached. Failed deliveries are not charged.'],
    facts: [
      ['Day', day],
      ['Failed', `${failed} of ${deliveries}`],
    ],
    page: page('Endpoints', '/endpoints'),
  }),
  'offer.rejecting': ({ partner, offer, rejected, responses, abovePercent, until }, reader) => ({
    title: `Offer ${offer} is paused: ${partner} rejected ${rejected} of ${responses} leads`,
    sentences: [
      `It takes no leads until ${at(until, reader)}, unless you lift the pause on its page.`,
      'Ask the partner why, or narrow the filters of the offer.',
    ],
    facts: [
      ['Rejected', `${rejected} of ${responses}`],
      ['Pauses above', `${abovePercent} %`],
    ],
    page: page('The offer', `/partners/${encodeURIComponent(partner)}/offers/${encodeURIComponent(offer)}`),
  }),
  'claim.due': ({ claimId, claim, partner, dueAt }, reader) => ({
    title: `A ${claim} of ${partner} is due soon`,
    sentences: ['Partners are promised a decision by then.'],
    facts: [
      ['Claim', claimId],
      ['Due', at(dueAt, reader)],
    ],
    page: page('Claims', `/claims/${encodeURIComponent(claimId)}`),
  }),
  'process.gone': ({ process, role, lastSeenAt }, reader) => ({
    title: `A process of the service is gone (${role})`,
    sentences: ['It has not reported for some time and did not say that it stops. Others go on; start it again.'],
    facts: [
      ['Process', process],
      ['Last report', at(lastSeenAt, reader)],
    ],
    page: page('Health', '/health'),
  }),
  'account.left_out': ({ account, key, partner, work, error }) => ({
    title: `The ${account}${key === '' ? '' : ` ${key}`} was left out of ${WORK[work]}`,
    sentences: [
      'One of its values could not be used. Everyone else was handled.',
      'Correct its configuration; the log of the service has the whole error.',
    ],
    facts: [...(partner === null ? [] : [['Partner', partner] as const]), ['Error', error]],
    page: accountPage({ account, key, partner }),
  }),
};

const WORK: Readonly<Record<NoticeData['account.left_out']['work'], string>> = {
  routing: 'routing',
  callbacks: 'callbacks',
  notices: 'the times of notices: they were sent at once',
  earnings: 'the daily sums of earnings',
  receipts: 'receipts and notices of payments',
  payments: 'paying open invoices from its balance',
  pauses: 'automatic pauses',
  limits: 'the watch over funds, caps and budgets',
};

function accountPage({ account, key, partner }: Pick<NoticeData['account.left_out'], 'account' | 'key' | 'partner'>) {
  if (account === 'marketplace') return null;
  if (account === 'supplier') return page('The supplier', `/suppliers/${encodeURIComponent(key)}`);
  const path = `/partners/${encodeURIComponent(partner ?? key)}`;
  return account === 'offer'
    ? page('The offer', `${path}/offers/${encodeURIComponent(key)}`)
    : page('The partner', path);
}

function belowUsual(
  { percent, usualPercent, submissions, day }: NoticeData['supplier.acceptance_low'],
  what: string,
): ReadonlyArray<readonly [string, string]> {
  return [
    ['Day', day],
    [what, `${percent} %`],
    ['Usual', `${usualPercent} %`],
    ['Submissions', String(submissions)],
  ];
}
