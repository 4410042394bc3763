// The commands `partner responses`, `offer responses` and `offer lift-pause` (contract 13.7).
import type { Command } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { CliTable } from '../platform/cli-output.ts';
import type { CliContext } from '../platform/cli.ts';
import { pauseRule } from '../routing/rejections-pause.rules.ts';
import { liftRejectionsPause } from '../routing/rejections-pause.ts';
import { readOffers } from '../routing/stored-offers.ts';
import { readOfferShares, readPartnerShares } from './read-responses.ts';
import type { ResponseShare, ResponseShares } from './response-shares.rules.ts';

/** Adds `responses` to the command `partner`. */
export function registerPartnerResponses(partner: Command, context: CliContext): void {
  partner
    .command('responses <key>')
    .description('show how often a partner rejects leads: today, in 7 and in 30 days, in all and by offer')
    .action((key: string) => showPartner(context, key));
}

export function registerOfferCommands(offer: Command, context: CliContext): void {
  offer
    .command('responses <key>')
    .description('show how often the leads of an offer are rejected, and whether it is paused for it')
    .action((key: string) => showOffer(context, key));
  offer
    .command('lift-pause <key>')
    .description('let an offer take leads again that is paused because its partner rejected many')
    .action((key: string) => liftPause(context, key));
}

async function showPartner({ withDatabase, clock, out }: CliContext, key: string): Promise<void> {
  const found = await withDatabase((database) =>
    database.tx(
      async (tx) => {
        const buyer = await readBuyer(tx, key);
        if (buyer === null) return null;
        const { timeZone } = buyer;
        return { timeZone, ...(await readPartnerShares(tx, key, { timeZone, now: clock.now() })) };
      },
      { snapshot: true },
    ),
  );
  if (found === null) return out.refuse('partner_not_found', `There is no partner ${key}.`);
  const { timeZone, total } = found;
  const offers = [...found.offers].toSorted(([one], [other]) => (one < other ? -1 : 1));
  out.print({
    json: { timeZone, total, offers: offers.map(([offer, shares]) => ({ offer, ...shares })) },
    text: table([['all offers', total], ...offers], `Days of ${timeZone}.`),
  });
}

async function showOffer({ withDatabase, clock, out }: CliContext, key: string): Promise<void> {
  const found = await withDatabase((database) =>
    database.tx(
      async (tx) => {
        const [offer] = await readOffers(tx, [key]);
        const buyer = offer === undefined ? null : await readBuyer(tx, offer.buyerKey);
        if (offer === undefined || buyer === null) return null;
        const { timeZone } = buyer;
        const shares = await readOfferShares(tx, key, { timeZone, now: clock.now() });
        const rule = pauseRule(offer, (await readSettings(tx)).settings.rejections);
        return { timeZone, ...shares, rule, pause: offer.rejectionsPause };
      },
      { snapshot: true },
    ),
  );
  if (found === null) return out.refuse('offer_not_found', `There is no offer ${key}.`);
  const { timeZone, rule, pause, ...shares } = found;
  const ruleText =
    rule === null
      ? 'It never pauses for rejections.'
      : `It pauses above ${rule.abovePercent} % of at least ${rule.responses} responses a day.`;
  const pauseText =
    pause === null ? '' : ` Paused since ${pause.since.toISOString()} until ${pause.until.toISOString()}.`;
  out.print({
    json: { ...found, pause },
    text: table([[key, shares]], `Days of ${timeZone}. ${ruleText}${pauseText}`),
  });
}

async function liftPause({ withDatabase, clock, out }: CliContext, offerKey: string): Promise<void> {
  const lift = { offerKey, actor: commandLineActor };
  const outcome = await withDatabase((database) => database.tx((tx) => liftRejectionsPause(tx, lift, clock.now())));
  if (!outcome.ok) return out.refuse(outcome.code, `There is no offer ${offerKey}.`);
  const { wasPaused } = outcome.value;
  out.print({
    json: { offer: offerKey, wasPaused },
    text: wasPaused ? `${offerKey} takes leads again.` : `${offerKey} was not paused for rejections.`,
  });
}

function table(rows: ReadonlyArray<readonly [string, ResponseShares]>, note: string): CliTable {
  return {
    columns: ['offer', 'today', '7 days', '30 days'],
    rows: rows.map(([name, { today, last7Days, last30Days }]) => [
      name,
      ...[today, last7Days, last30Days].map(shareText),
    ]),
    note,
  };
}

/** `25 % rejected, 5 % duplicates of 20`. */
function shareText({ responses, rejectedRate, duplicateRate }: ResponseShare): string {
  if (rejectedRate === null || duplicateRate === null) return 'no responses';
  return `${percent(rejectedRate)} % rejected, ${percent(duplicateRate)} % duplicates of ${responses}`;
}

function percent(rate: number): number {
  return Math.round(1000 * rate) / 10;
}
