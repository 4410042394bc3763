// A marketplace for tests of claims: partners with all kinds of caps, confirmed deliveries, and a client.
import { commandLineActor } from '../../src/audit/audit-event.ts';
import { type ClaimId, type DeliveryId, typeId, uuidOf } from '../../src/base/ids.ts';
import type { Claim } from '../../src/claims/claim.ts';
import type { ReviewStep } from '../../src/claims/claim-steps.rules.ts';
import { reviewClaim } from '../../src/claims/review-claim.ts';
import { type ApiResponse, call } from '../support/api-client.ts';
import { handClock, type HandClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { plantDeliveries, type Seed } from '../deliveries/plant-deliveries.ts';

const WIDE = '{ perSecond: 100000, burst: 100000 }';
/** A Friday, ten in the morning in Los Angeles. */
export const NOW = '2026-11-20T18:00:00.000Z';

function partner(key: string, more: string): string {
  return `  - { key: ${key}, name: ${key}, timeZone: America/Los_Angeles, channels: [], rateLimit: ${WIDE}, ${more} }`;
}

export const claimYaml = `
marketplace: { currency: USD }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved, rateLimit: ${WIDE} }
partners:
${partner('summit', 'returnPolicy: { holidays: [2026-12-24], monthlyCaps: { leads: 100000, bookings: 100000 } }')}
${partner('harbor', 'returnPolicy: { monthlyCaps: { leads: 100000, bookings: 100000 } }')}
${partner('tight', 'returnPolicy: { monthlyCaps: { leads: 2, bookings: 1 } }')}
${partner('previewed', 'returnPolicy: { monthlyCaps: { leads: 1, bookings: 2 } }')}
${partner('share', 'returnPolicy: {}')}
${partner('none', 'returnPolicy: { windowBusinessDays: 0, disputeWindowDays: 1, monthlyCaps: { leads: 0, bookings: "0%" } }')}
${partner('frozen', 'status: suspended')}
`;

export type ClaimMarket = {
  readonly market: TestMarketplace;
  readonly clock: HandClock;
  /** Confirmed a day before now by default; returns TypeIDs in the order of the seeds. */
  plant(partner: string, seeds: ReadonlyArray<Partial<Seed>>): Promise<string[]>;
  /** Sends a request as a partner; a body makes it a POST. */
  ask(
    partner: string,
    path: string,
    request?: { method?: string; body?: object | string; headers?: object },
  ): Promise<ApiResponse>;
  file(partner: string, kind: 'return' | 'dispute', body: object): Promise<ApiResponse>;
  dryRun(partner: string, kind: 'return' | 'dispute', body: object): Promise<ApiResponse>;
  /** Returns the claim by TypeID; throws if it is rejected. */
  review(claimId: string, step: ReviewStep, note?: string): Promise<Claim>;
  close(): Promise<void>;
};

export const RETURNS = '/api/v1/buyer/returns';
export const DISPUTES = '/api/v1/buyer/disputes';
export const POLICY = '/api/v1/buyer/return-policy';
export const LEADS = '/api/v1/buyer/leads';
export const BOOKING = {
  eventType: 'Calendar Assigned',
  payoutCents: 12_000,
  appointmentAt: new Date('2026-11-24T17:30:00.000Z'),
} as const;

export async function startClaimMarket(yaml: string = claimYaml): Promise<ClaimMarket> {
  const clock = handClock(NOW);
  const market = await startTestMarketplace({ yaml, role: 'api', clock });
  const tokens = new Map<string, { token: string; usedAt: Date }>();
  // A clock that is set back leaves a credential's rate used up for a while; a new credential has its own.
  const tokenOf = async (key: string): Promise<string> => {
    const usedAt = clock.now();
    const known = tokens.get(key);
    const token = known !== undefined && known.usedAt <= usedAt ? known.token : await market.buyerToken(key);
    tokens.set(key, { token, usedAt });
    return token;
  };
  const ask: ClaimMarket['ask'] = async (key, path, { method, body, headers = {} } = {}) =>
    call(market.url + path, {
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
      headers: { authorization: `Bearer ${await tokenOf(key)}`, ...headers },
    });
  return {
    market,
    clock,
    ask,
    async plant(key, seeds) {
      const at = new Date(clock.now().getTime() - 86_400_000);
      const planted = await plantDeliveries(
        market.database,
        key,
        seeds.map((seed) => ({ at, ...seed })),
      );
      return planted.map(({ deliveryId }) => typeId('delivery', deliveryId));
    },
    file: (key, kind, body) => ask(key, kind === 'return' ? RETURNS : DISPUTES, { body }),
    dryRun: (key, kind, body) => ask(key, `${kind === 'return' ? RETURNS : DISPUTES}?dryRun=true`, { body }),
    async review(claimId, step, note) {
      const input = { claimId: claimUuid(claimId), step, note: note ?? null, actor: commandLineActor };
      const outcome = await market.database.tx((tx) => reviewClaim(tx, input, clock.now()));
      if (!outcome.ok) throw new Error(`${claimId} cannot be reviewed: ${outcome.code}`);
      return outcome.value;
    },
    close: () => market.close(),
  };
}

/** The same with a dry run before each filing, which must report what filing then responds. */
export function withDryRuns(home: ClaimMarket): ClaimMarket {
  return {
    ...home,
    async file(key, kind, body) {
      const preview = await home.dryRun(key, kind, body);
      const response = await home.file(key, kind, body);
      if (expected(preview) === expected(response)) return response;
      throw new Error(`a dry run says ${expected(preview)}, and filing answers ${expected(response)}`);
    },
  };
}

export function claimUuid(id: string): ClaimId {
  const uuid = uuidOf('return', id) ?? uuidOf('dispute', id);
  if (uuid === null) throw new Error(`${id} is no id of a claim`);
  return uuid;
}

export function uuidOfDelivery(id: string): DeliveryId {
  const uuid = uuidOf('delivery', id);
  if (uuid === null) throw new Error(`${id} is no id of a delivery`);
  return uuid;
}

/** `status code` of a response; for an invalid body with its fields. */
export function outcomeText({ status, json }: ApiResponse): string {
  const faults = ((json?.errors ?? []) as Json[]).map(({ field, code }) => ` ${field}:${code}`);
  return `${status}${json?.code === undefined ? '' : ` ${json.code}`}${faults.join('')}`;
}

/** The facts about the claim in a response to filing or its dry run. */
function expected(response: ApiResponse): string {
  const { status, json } = response;
  if (status === 200) {
    const { refusal, decisionDueAt } = json;
    return refusal === null ? `201 ${decisionDueAt}` : `${refusal.status} ${refusal.code} ${refusal.detail}`;
  }
  return status === 201 ? `201 ${json.decisionDueAt}` : `${outcomeText(response)} ${json.detail}`;
}

/** A problem document without the members that differ between requests. */
export function withoutId({ json }: ApiResponse): unknown {
  return { ...json, requestId: null };
}
