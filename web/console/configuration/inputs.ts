// What a form changes as a part of the marketplace file: only the members that differ, so that all else is left alone.
import type { OfferForm, PartnerForm, PartnerSettings, SupplierForm, ConfigurationInput } from './configuration-api.ts';
import { changedMembers, type Draft } from './draft.ts';
import { newOffer, newPartner, newSupplier } from './new-things.ts';

/** A new thing says nothing where it says nothing else than the default. */
function saidOf<Form extends { readonly name: string }>(values: Form, byDefault: Form): Partial<Form> {
  return changedMembers(byDefault, values);
}

export function supplierInput({ values, changed }: Draft<SupplierForm>, isNew: boolean): ConfigurationInput {
  const said = isNew ? { ...saidOf(values, newSupplier), status: values.status } : changed;
  return { isNew, fragment: { suppliers: [{ ...said, key: values.key }] } };
}

/** Only settings that were changed in this form, because the partner may change others at the same time. */
export function partnerInput(
  { values, changed }: Draft<PartnerForm>,
  before: PartnerSettings,
  isNew: boolean,
): ConfigurationInput {
  const { settings: _all, ...said } = isNew ? saidOf(values, newPartner) : changed;
  const settings = changedMembers(before, values.settings);
  const stated = Object.keys(settings).length === 0 ? {} : { settings };
  return { isNew, fragment: { partners: [{ ...said, ...stated, key: values.key }] } };
}

export function offerInput(
  { values, changed }: Draft<OfferForm>,
  partnerKey: string,
  isNew: boolean,
): ConfigurationInput {
  const said = isNew ? { ...saidOf(values, newOffer), eventType: values.eventType } : changed;
  return { isNew, fragment: { partners: [{ key: partnerKey, offers: [{ ...said, key: values.key }] }] } };
}
