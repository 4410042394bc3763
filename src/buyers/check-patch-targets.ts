// Asks DNS about the URLs that a partner wants to save: the half of the target rules that their text alone cannot answer (contract 5.7).
import { checkTarget } from '../platform/outbound/check-target.ts';
import type { PatchFault, SettingsPatch } from './account-patch.rules.ts';

/** In the order of the settings. Goes to the network, so it is called with no transaction open. */
export async function checkPatchTargets(
  patch: SettingsPatch,
  options: Parameters<typeof checkTarget>[1],
): Promise<readonly PatchFault[]> {
  const fields = ['webhookUrl', 'sheetsWebhookUrl'] as const;
  const found = await Promise.all(
    fields.map(async (field): Promise<readonly PatchFault[]> => {
      const url = patch[field];
      if (url === undefined || url === null) return [];
      const verdict = await checkTarget(url, options);
      return verdict.ok ? [] : [{ field, code: verdict.code, message: `is refused: ${verdict.reason}` }];
    }),
  );
  return found.flat();
}
