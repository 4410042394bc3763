// Finds the target of a message in its owner's configuration at the time of the attempt (contract 5.1, 5.8).
import { storedTimeZone } from '../base/time-zone.rules.ts';
import type { EndpointKey } from '../endpoints/breaker.rules.ts';

/** Settings from the owner's row; null if there is no such row. */
export type OwnerSettings = {
  /** Suppliers only. */
  readonly callbackUrl: string | null;
  /** Buyers only, like the following members. */
  readonly channels: readonly string[] | null;
  readonly webhookUrl: string | null;
  readonly isDisabled: boolean;
  readonly notificationEmail: string | null;
  readonly ccEmails: readonly string[] | null;
  readonly name: string | null;
  readonly timeZone: string | null;
  /** `whsec_…`; the previous one while both sign. */
  readonly secret: string | null;
  readonly previousSecret: string | null;
};

export type MessageTarget =
  | { readonly kind: 'webhook'; readonly url: string; readonly secrets: readonly string[] }
  | {
      readonly kind: 'email';
      readonly to: string;
      readonly cc: readonly string[];
      readonly recipient: { readonly name: string; readonly timeZone: string };
    };

/** Null if the owner has not configured this channel; a partner can still read the event in its feed. */
export function targetOf(
  { ownerKind, channel }: Pick<EndpointKey, 'ownerKind' | 'channel'>,
  owner: OwnerSettings,
): MessageTarget | null {
  if (channel === 'email') {
    const { notificationEmail, ccEmails, name, timeZone } = owner;
    if (isUnset(notificationEmail) || name === null || timeZone === null) return null;
    return {
      kind: 'email',
      to: notificationEmail,
      cc: ccEmails ?? [],
      recipient: { name, timeZone: storedTimeZone(timeZone) },
    };
  }
  const url = ownerKind === 'supplier' ? owner.callbackUrl : urlOfBuyer(owner);
  if (isUnset(url)) return null;
  return {
    kind: 'webhook',
    url,
    secrets: [owner.secret, owner.previousSecret].filter((secret) => secret !== null),
  };
}

function urlOfBuyer({ channels, webhookUrl, isDisabled }: OwnerSettings): string | null {
  return channels?.includes('webhook') === true && !isDisabled ? webhookUrl : null;
}

function isUnset(text: string | null): text is null | '' {
  return text === null || text === '';
}
