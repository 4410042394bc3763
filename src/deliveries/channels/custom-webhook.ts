// Compiles a partner's webhook format once for all of its deliveries (contract 13.1).
import type { WebhookFormat } from '../../buyers/buyer.ts';
import type { SecretValue } from '../../credentials/partner-secrets.ts';
import { deliveredOwn } from '../../leads/own-fields.rules.ts';
import { createRecentCache } from '../../platform/recent-cache.ts';
import type { TemplateInput } from '../templates/names.rules.ts';
import { type CompiledRequest, compileRequest } from '../templates/webhook-request.rules.ts';
import type { Parcel } from './channel.ts';
import { type CompiledRules, compileRules } from './read-response.rules.ts';

export type CompiledWebhook = { readonly request: CompiledRequest; readonly rules: CompiledRules };

/** A format that cannot be used, because it was stored by a release that knew more, has the error of its first fault. */
export type CompiledFormat =
  | { readonly ok: true; readonly webhook: CompiledWebhook }
  | { readonly ok: false; readonly error: string };

/** More than the partners of one marketplace; a compiled format takes some 10 KB. */
const formats = createRecentCache<CompiledFormat>(2_000);

/** `format` is the JSON text of a WebhookFormat, as stored. */
export function compileFormat(format: string): CompiledFormat {
  let compiled = formats.get(format);
  if (compiled === undefined) formats.set(format, (compiled = compile(JSON.parse(format) as WebhookFormat)));
  return compiled;
}

function compile(format: WebhookFormat): CompiledFormat {
  const request = compileRequest(format, { ownFields: null });
  if (!request.ok) return { ok: false, error: unusable(request.faults) };
  const rules = compileRules(format.response.rules);
  if (!rules.ok) return { ok: false, error: unusable(rules.faults) };
  return { ok: true, webhook: { request: request.request, rules: rules.rules } };
}

function unusable([fault]: ReadonlyArray<{ readonly at: string; readonly message: string }>): string {
  return `The webhook format cannot be used: ${fault?.at ?? ''} ${fault?.message ?? ''}`;
}

/** `secrets` is null for a preview, which shows none. */
export function templateInput(
  { delivery, fields, isTest }: Parcel,
  partnerKey: string,
  secrets: ReadonlyMap<string, SecretValue> | null,
): TemplateInput {
  return { delivery, fields, own: deliveredOwn(fields), partnerKey, isTest, secrets };
}
