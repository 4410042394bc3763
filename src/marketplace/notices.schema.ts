// Schemas of the settings of notices: the operators' in the marketplace file and the console, partners' and suppliers' in the portal
// (contract 12.3).
import { type Static, Type } from 'typebox';

import {
  amount,
  line,
  type MemberCheck,
  members,
  numberFrom,
  oneOf,
  orUnset,
  setOf,
  wholeNumber,
} from './configured.schema.ts';

/** The kinds of notices that each recipient can get, in the order in which its settings show them. */
const operatorNoticeKinds = [
  'dead.letters',
  'process.gone',
  'claim.due',
  'supplier.silent',
  'supplier.acceptance_low',
  'supplier.sell_through_low',
  'partner.rejecting',
  'offer.rejecting',
  'account.left_out',
] as const;
const partnerNoticeKinds = [
  'invoice.issued',
  'invoice.reminder',
  'invoice.overdue',
  'payment.received',
  'funds.low',
  'offer.paused',
  'offer.rejections_paused',
  'cap.reached',
  'budget.low',
  'claim.decided',
  'endpoint.disabled',
  'endpoint.failing',
  'endpoint.recovered',
  'credential.expiring',
] as const;
const supplierNoticeKinds = [
  'statement.issued',
  'endpoint.failing',
  'endpoint.recovered',
  'credential.expiring',
] as const;

// More recipients make mail servers suspect spam.
const EMAILS_MAX = 20;
const URL_LENGTH_MAX = 2048;
// A year: a credential that is warned of earlier was issued with the warning.
const DAYS_MAX = 365;

const time = (title: string, notes: { readonly default?: string; readonly description?: string } = {}) =>
  Type.String({
    title,
    pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$',
    errorMessage: 'must be a time such as "08:00"',
    check: 'time' satisfies MemberCheck,
    ...notes,
  });

const url = (title: string, description: string) =>
  orUnset(line({ title, maxLength: URL_LENGTH_MAX, check: 'target' }), { title, description });

type Defaults<Kind> = {
  readonly off: readonly Kind[];
  readonly digest: readonly Kind[];
  readonly urgent: readonly Kind[];
};

const channelsAndTimes = <const Kind extends string>(kinds: readonly Kind[], defaults: Defaults<Kind>) => {
  const some = (title: string, description: string, byDefault: readonly Kind[]) =>
    setOf(oneOf(kinds), { title, description, default: [...byDefault] });
  return {
    emails: Type.Array(line({ check: 'email' }), {
      uniqueItems: true,
      maxItems: EMAILS_MAX,
      default: [],
      title: 'Email addresses',
    }),
    webhookUrl: url('Webhook URL', 'Signed like the webhooks of leads.'),
    chatUrl: url('Chat webhook URL', 'Gets {"text": …}, which Slack, Mattermost, Teams and others show as a message.'),
    timeZone: orUnset(line({ check: 'timeZone' }), {
      title: 'Time zone',
      description: 'Of quiet hours and of the daily digest.',
    }),
    quietHours: orUnset(members({ from: time('Quiet from'), to: time('Quiet until') }), {
      title: 'Quiet hours',
      description: 'Email and chat messages wait until they end. They may go past midnight.',
    }),
    digestAt: time('Daily digest at', { default: '08:00' }),
    off: some('Switched off', 'Kinds that are listed and not sent.', defaults.off),
    digest: some(
      'In the daily digest',
      'Kinds that come in one email and one chat message a day, instead of at once.',
      defaults.digest,
    ),
    urgent: some('Also in quiet hours', 'Kinds that quiet hours do not hold back.', defaults.urgent),
  };
};

const expiryDays = wholeNumber(1, DAYS_MAX, { title: 'Days before a credential expires', default: 14 });
const factor = (title: string) =>
  numberFrom(0, 1, { title, description: 'Share of the usual: 0.5 is half of it.', default: 0.5 });
const percentOf = (title: string, byDefault: number) => wholeNumber(0, 100, { title, default: byDefault });

export const OperatorNoticesSchema = members(
  {
    ...channelsAndTimes(operatorNoticeKinds, { off: [], digest: ['claim.due'], urgent: ['process.gone'] }),
    publicUrl: orUnset(
      Type.String({
        pattern: '^https?://[^\\s/?#]+$',
        errorMessage: 'must be an address such as https://leads.example.com, without a path',
      }),
      { title: 'Address of the service', description: 'As people open it. Links in notices begin with it.' },
    ),
    thresholds: members(
      {
        acceptanceFactor: factor('Acceptance of a supplier below'),
        sellThroughFactor: factor('Sell-through of a supplier below'),
        // A supplier that usually posts this often is not silent by chance.
        usualSubmissions: wholeNumber(1, 1_000_000, {
          title: 'Submissions a day that make a supplier regular',
          default: 20,
        }),
        silentHours: wholeNumber(1, 168, { title: 'Hours without a submission', default: 6 }),
        rejectingPercent: percentOf('Failed deliveries of a partner, percent', 30),
        rejectingDeliveries: wholeNumber(1, 1_000_000, { title: 'Failed deliveries a day, at least', default: 10 }),
        claimDueHours: wholeNumber(1, 720, { title: 'Hours before a claim is due', default: 24 }),
        processGoneMinutes: wholeNumber(1, 1440, { title: 'Minutes without a sign of a process', default: 5 }),
      },
      { default: {} },
    ),
  },
  { default: {}, title: 'Notices', description: 'Notices to operators: which, where, and when.' },
);

export const PartnerNoticesSchema = members({
  ...channelsAndTimes(partnerNoticeKinds, {
    off: ['cap.reached', 'budget.low', 'endpoint.recovered'],
    digest: ['claim.decided'],
    urgent: ['endpoint.disabled'],
  }),
  thresholds: members(
    {
      fundsBelow: orUnset(amount(), {
        title: 'Funds below',
        description: 'The balance, or what is left of the credit limit.',
        default: 100,
      }),
      budgetLeftPercent: percentOf('Budget left, percent', 10),
      expiryDays,
    },
    { default: {} },
  ),
});

export const SupplierNoticesSchema = members({
  ...channelsAndTimes(supplierNoticeKinds, { off: ['endpoint.recovered'], digest: [], urgent: [] }),
  thresholds: members({ expiryDays }, { default: {} }),
});

export type OperatorNotices = Static<typeof OperatorNoticesSchema>;
export type PartnerNotices = Static<typeof PartnerNoticesSchema>;
export type SupplierNotices = Static<typeof SupplierNoticesSchema>;
