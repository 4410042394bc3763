// The marketplace of the tests on personal data: one partner with a webhook and email, one that only reads, and a person nobody else is.
import { uuidOf } from '../../src/base/ids.ts';
import { registerConsentCommand } from '../../src/privacy/consent.cli.ts';
import { registerEraseCommand } from '../../src/privacy/erase.cli.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { postLead } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { type Captured, captureCommand, contextOf } from '../support/captured-command.ts';
import { eventually } from '../support/eventually.ts';
import type { TestMarketplace } from '../support/marketplace.ts';

const WIDE = '{ perSecond: 100000, burst: 100000 }';
const OPEN = `rateLimit: ${WIDE}, billing: { mode: postpaid, creditLimit: 1000000 }`;
const TOOLS = 'betaTools: [timeline, delivery-logs, test-delivery, audit-log]';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Some days on, so that it is not today however long a test takes, and yet within a week. */
function dayAfter(days: number): string {
  return DAYS[(new Date().getUTCDay() + days) % 7] ?? '';
}

/** Summit takes CA by webhook and email, Harbor reads NY, Dawn takes WA by webhook; leads of NV wait for Night, which opens later. */
export function privacyYaml(origin: string, { callback = '' } = {}): string {
  return `
marketplace: { currency: USD, holdMinutes: 10080, retrySeconds: [0, 1, 1] }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved, rateLimit: ${WIDE}${callback} }
partners:
  - { key: summit, name: Summit, timeZone: America/Los_Angeles, channels: [webhook, email], ${TOOLS}, ${OPEN},
      settings: { webhookUrl: "${origin}/summit", notificationEmail: leads@summit.example },
      offers: [{ key: summit-west, name: West, eventType: Lead Sale, payout: 45.00, filters: { states: [CA] }, caps: { daily: 1000 } }] }
  - { key: harbor, name: Harbor, timeZone: America/New_York, channels: [], ${OPEN},
      offers: [{ key: harbor-east, name: East, eventType: Lead Sale, payout: 40.00, filters: { states: [NY] } }] }
  - { key: dawn, name: Dawn, timeZone: America/New_York, channels: [webhook], ${TOOLS}, ${OPEN},
      settings: { webhookUrl: "${origin}/dawn" },
      offers: [{ key: dawn-north, name: North, eventType: Lead Sale, payout: 20.00, filters: { states: [WA] }, caps: { daily: 1000 } }] }
  - { key: night, name: Night, timeZone: UTC, channels: [], ${OPEN},
      offers: [{ key: night-offer, name: Night, eventType: Lead Sale, payout: 5.00, filters: { states: [NV] }, schedule: { days: [${dayAfter(3)}], from: "00:00", to: "23:00" } }] }
`;
}

/** Nobody has these by chance. Every text that can hold something of the person does. */
export const PERSON = {
  external_id: 'quillon.brightwater@canary-mail.example',
  full_name: 'Quillon Brightwater',
  email: 'Quillon.Brightwater+forms@canary-mail.example',
  phone: '+12025550187',
  business_name: 'Canary Bakery Xylophone',
  state: 'CA',
  debt_amount: '24513.37',
  source: 'zyxwvusource',
  lead_ip: '203.0.113.217',
  consent_timestamp: '2026-11-20T17:03:11Z',
  consent_version: 'v7',
  consent_text: 'I, Quillon Brightwater, agree to be called on (202) 555-0187',
  source_form_url:
    'https://forms.example.com/debt?name=Quillon+Brightwater&mail=Quillon.Brightwater%2Bforms%40canary-mail.example',
  utm_campaign: 'zyxwvucampaign',
  jornaya_lead_id: 'certificate-4711',
  zyxwvunote: 'zyxwvuextra',
};

/** Of the person, long enough to be in no random text. What proves consent (address, version, certificate) is not among them. */
export const TRACES = [
  'quillon',
  'brightwater',
  'canary',
  'xylophone',
  '2025550187',
  '555-0187',
  '24513.37',
  '2451337',
  'zyxwvu',
];

/** Every row of every table that holds one of these, as text: what a dump would show. */
export async function rowsWith(database: Database, traces: readonly string[]): Promise<string[]> {
  const tables = await select<{ name: string }>(
    database,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await select<{ text: string }>(
      database,
      `SELECT t::text AS text FROM ${name} AS t WHERE lower(t::text) LIKE ANY($1)`,
      [traces.map((trace) => `%${trace}%`)],
    );
    found.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return found;
}

export function command(database: Database, ...argv: string[]): Promise<Captured> {
  const clock = { now: () => new Date() };
  return captureCommand(argv, (program, out) => {
    const lead = program.command('lead');
    registerEraseCommand(lead, contextOf(database, clock, out));
    registerConsentCommand(lead, contextOf(database, clock, out));
  });
}

/** The lead's TypeID. */
export async function accepted(market: TestMarketplace, key: string, body: object): Promise<string> {
  const response = await postLead(market.url, key, body);
  if (response.status !== 202) throw new Error(response.text);
  return response.json.lead_id as string;
}

export type LeadNow = { state: string; publicStatus: string; reason: string | null; erasedAt: Date | null };

export async function leadNow(database: Database, leadId: string): Promise<LeadNow> {
  const [row] = await select<LeadNow>(
    database,
    `SELECT state, public_status AS "publicStatus", reason, erased_at AS "erasedAt" FROM lead WHERE lead_id = $1`,
    [uuidOf('lead', leadId)],
  );
  if (row === undefined) throw new Error(`there is no ${leadId}`);
  return row;
}

export async function decided(market: TestMarketplace, leadId: string, state: string): Promise<void> {
  await eventually(`${leadId} is ${state}`, async () => (await leadNow(market.database, leadId)).state === state);
}

/** Of one lead that was delivered once. */
export async function deliveryOf(database: Database, leadId: string): Promise<{ deliveryId: string; status: string }> {
  const [row] = await select<{ deliveryId: string; status: string }>(
    database,
    `SELECT delivery_id AS "deliveryId", status FROM delivery WHERE lead_id = $1`,
    [uuidOf('lead', leadId)],
  );
  if (row === undefined) throw new Error(`${leadId} was not delivered`);
  return row;
}
