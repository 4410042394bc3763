// Reads and validates a partner's change of its account settings (contract 6.16).
import type { Members } from '../base/json.ts';
import type { BuyerSetting, BuyerSettings, EditableField } from './buyer.ts';
import { buyerSettings } from './partner.schema.ts';
import { checkSetting, type SettingOptions } from './check-setting.rules.ts';

/** At most one per member; `message` begins in lower case and does not repeat the value. */
export type PatchFault = { readonly field: string; readonly code: string; readonly message: string };

/** Only the settings that the partner named, in their stored form. */
export type SettingsPatch = { readonly [Name in BuyerSetting]?: BuyerSettings[Name] };

export type PatchReading = { readonly values: SettingsPatch; readonly faults: readonly PatchFault[] };

// Without a bound, a body of unknown members would cause a response several times its size.
const MOST_FAULTS = 50;

/** Errors in the order of the members. URLs are checked without DNS; see `checkPatchTargets`. */
export function readAccountPatch(
  members: Members,
  editable: readonly EditableField[],
  options: SettingOptions,
): PatchReading {
  const values: Partial<Record<BuyerSetting, BuyerSettings[BuyerSetting]>> = {};
  const faults: PatchFault[] = [];
  for (const [field, value] of Object.entries(members)) {
    const setting = buyerSettings.find((name) => name === field);
    if (setting === undefined || !editable.includes(setting)) {
      faults.push(elsewhere(field, editable) ?? notEditable(field));
      continue;
    }
    const verdict = checkSetting(setting, value, options);
    if (verdict.ok) values[setting] = verdict.value;
    else faults.push({ field, code: verdict.code, message: verdict.message });
  }
  return { values: values as SettingsPatch, faults: faults.slice(0, MOST_FAULTS) };
}

/** What a partner may change, but not here; null for any other field. */
function elsewhere(field: string, editable: readonly EditableField[]): PatchFault | null {
  const code = 'field_not_editable';
  if (field === 'webhookSecret')
    return { field, code, message: 'is replaced by POST /api/v1/buyer/webhook-secret/rotate' };
  const isInPortal = (field === 'webhookFormat' || field === 'channels') && editable.includes(field);
  return isInPortal ? { field, code, message: 'is changed in the portal, under Settings' } : null;
}

export function notEditable(field: string): PatchFault {
  return { field, code: 'field_not_editable', message: 'is not among your editableFields' };
}

/** The names of the settings that the patch would change. */
export function changedSettings(before: BuyerSettings, patch: SettingsPatch): readonly BuyerSetting[] {
  return settingsIn(patch).filter((name) => JSON.stringify(patch[name]) !== JSON.stringify(before[name]));
}

/** In the order of `buyerSettings`. */
export function settingsIn(patch: SettingsPatch): readonly BuyerSetting[] {
  return buyerSettings.filter((name) => Object.hasOwn(patch, name));
}
