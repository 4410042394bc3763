// Opens all outbound integrations: the guarded client for partners' and suppliers' endpoints, and the operator's mail server, SMS provider
// and Google account (contract 5, 8.3).
import { createSecretOpener } from '../credentials/partner-secrets.ts';
import type { DeliveryChannels } from '../deliveries/channels/channel.ts';
import { createEmailChannel } from '../deliveries/channels/email.channel.ts';
import { createSheetsScriptChannel } from '../deliveries/channels/sheets-script.channel.ts';
import { createSheetsChannel } from '../deliveries/channels/sheets.channel.ts';
import { createSmsChannel } from '../deliveries/channels/sms.channel.ts';
import { createWebhookChannel } from '../deliveries/channels/webhook.channel.ts';
import { brandOf, type MarketplaceSettings } from '../marketplace/settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import { createGuardedClient, type GuardedClient } from '../platform/outbound/guarded-client.ts';
import { createMailer } from '../platform/outbound/mail/mailer.ts';
import type { Mailer } from '../platform/outbound/mail/mail.ts';
import { readServiceAccount } from '../platform/outbound/sheets/service-account.ts';
import { createSheets, type Sheets } from '../platform/outbound/sheets/sheets.ts';
import { createOpenIdProvider, type OpenIdProvider } from '../platform/outbound/openid-provider.ts';
import { createSmsSender } from '../platform/outbound/sms.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';

export type IntegrationConfig = Pick<
  Config,
  'smtpUrl' | 'mailFrom' | 'sms' | 'googleServiceAccountFile' | 'sheetsApiUrl' | 'openId'
>;

export type IntegrationOptions = {
  readonly integrations: IntegrationConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly allowTargets: AllowedTargets;
  readonly secretKeys: SecretKeys;
  readonly settings: () => MarketplaceSettings;
};

export type Integrations = {
  readonly client: GuardedClient;
  readonly mailer: Mailer;
  readonly channels: DeliveryChannels;
  /** Null where operators sign in by password only. */
  readonly openId: OpenIdProvider | null;
  /** The address with which partners share their sheets, and the lookup of a sheet's title. */
  readonly sheets: { readonly email: string | null } & Pick<Sheets, 'sheetName'>;
  /** Call it after the workers have stopped. */
  close(): Promise<void>;
};

export async function openIntegrations({
  integrations,
  database,
  clock,
  allowTargets,
  secretKeys,
  settings,
}: IntegrationOptions): Promise<Integrations> {
  const { smtpUrl, mailFrom, sms: smsConfig, googleServiceAccountFile, sheetsApiUrl } = integrations;
  const openId = integrations.openId === null ? null : createOpenIdProvider(integrations.openId, { clock });
  const client = createGuardedClient({ allowTargets });
  const mailer = await createMailer({ smtpUrl, mailFrom, database, clock });
  const sms = createSmsSender(smsConfig);
  const serviceAccount = readServiceAccount({ googleServiceAccountFile });
  const sheets = createSheets({ serviceAccount, apiUrl: sheetsApiUrl, database, clock });
  return {
    client,
    mailer,
    channels: {
      webhook: createWebhookChannel({ client, openSecrets: createSecretOpener(secretKeys) }),
      email: createEmailChannel(mailer, () => ({ currency: settings().currency, brand: brandOf(settings()) })),
      sms: createSmsChannel(sms),
      sheets: createSheetsChannel(sheets),
      sheets_script: createSheetsScriptChannel(client),
    },
    sheets: { email: serviceAccount.ok ? serviceAccount.account.email : null, sheetName: sheets.sheetName },
    openId,
    async close() {
      await Promise.all([openId?.close(), client.close(), mailer.close(), sms.close(), sheets.close()]);
    },
  };
}
