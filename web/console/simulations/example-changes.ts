// Examples of changes to try in a dry run, made from an offer of the marketplace.
import type { OfferOnConsole } from '../../../src/console/offers.schema.ts';
import type { ConfigurationInput, OfferForm } from '../configuration/configuration-api.ts';

type Example = { readonly name: string; readonly input: ConfigurationInput };
type ExampleOffer = Pick<OfferOnConsole, 'key' | 'name' | 'partner' | 'price' | 'payout' | 'caps'>;

const CAP = 10;

/** A price that the partner's system responds with cannot be raised. */
export function exampleChanges(offer: ExampleOffer): Example[] {
  const { name, price, payout, caps } = offer;
  const halved = Math.floor((caps.daily ?? 0) / 2);
  const daily = halved === 0 ? CAP : halved;
  return [
    ...(price === 'answered'
      ? []
      : [changeOf(offer, `Raise the price of ${name} by 10%`, { payout: Math.round(payout * 110) / 100 })]),
    changeOf(offer, `Cap ${name} at ${daily} a day`, { caps: { ...caps, daily } }),
    changeOf(offer, `Pause ${name}`, { status: 'paused' }),
  ];
}

function changeOf({ partner, key }: ExampleOffer, name: string, change: Partial<OfferForm>): Example {
  return { name, input: { fragment: { partners: [{ key: partner, offers: [{ ...change, key }] }] } } };
}
