// Decides through which channels a notice goes and when: now, after the quiet hours, or with the digest of the day (contract 12.3).
import { nextAt, quietUntil, type QuietHours } from './quiet-hours.rules.ts';

export type NoticeChannel = 'email' | 'webhook' | 'chat';

/** What a recipient has chosen, with its own time zone and addresses filled in. */
export type Preferences = {
  readonly emails: readonly string[];
  readonly webhookUrl: string | null;
  readonly chatUrl: string | null;
  readonly timeZone: string;
  readonly quietHours: QuietHours | null;
  readonly digestAt: string;
  readonly off: readonly string[];
  readonly digest: readonly string[];
  readonly urgent: readonly string[];
};

export type PlannedSend = { readonly channel: NoticeChannel; readonly dueAt: Date; readonly isDigest: boolean };

export type Plan =
  | { readonly state: 'off' | 'no_channel' }
  | { readonly state: 'planned'; readonly sends: readonly PlannedSend[] };

/** A test is sent at once through every channel. Webhooks are read by programs, so neither quiet hours nor digests hold them. */
export function planOf(kind: string, preferences: Preferences, now: Date): Plan {
  const { off, digest, urgent, quietHours, timeZone, digestAt } = preferences;
  if (off.includes(kind)) return { state: 'off' };
  const channels = channelsOf(preferences);
  if (channels.length === 0) return { state: 'no_channel' };
  const isDigest = digest.includes(kind);
  const isHeld = kind !== 'test' && !urgent.includes(kind);
  const from = isDigest ? nextAt(now, digestAt, timeZone) : now;
  const afterQuiet = isHeld && quietHours !== null ? quietUntil(from, quietHours, timeZone) : null;
  return {
    state: 'planned',
    sends: channels.map((channel) =>
      channel === 'webhook'
        ? { channel, dueAt: now, isDigest: false }
        : { channel, dueAt: afterQuiet ?? from, isDigest },
    ),
  };
}

function channelsOf({ emails, webhookUrl, chatUrl }: Preferences): NoticeChannel[] {
  return [
    ...(emails.length > 0 ? (['email'] as const) : []),
    ...(webhookUrl === null ? [] : (['webhook'] as const)),
    ...(chatUrl === null ? [] : (['chat'] as const)),
  ];
}
