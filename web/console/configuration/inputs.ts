// Turns the changed values of a form into a part of the marketplace file: only changed members, so that all others stay unchanged.
import type {
  ConfigurationInput,
  OfferForm,
  PartnerForm,
  PartnerSettings,
  SupplierForm,
  VerticalForm,
} from './configuration-api.ts';
import { changedMembers, type Draft } from './draft.ts';
import { newOffer, newSupplier, newVertical, partnerDefaults } from './new-things.ts';

/** Omits the values of a new item that the service sets by itself. */
function withoutDefaults<Form extends { readonly name: string }>(values: Form, byDefault: Form): Partial<Form> {
  return changedMembers(byDefault, values);
}

/** A field without a label gets its name as one. */
export function verticalInput({ values, changed }: Draft<VerticalForm>, isNew: boolean): ConfigurationInput {
  const { fields, ...stated } = isNew ? withoutDefaults(values, newVertical) : changed;
  const labelled = fields?.map(({ label, ...field }) => ({
    ...field,
    label: label.trim() === '' ? field.name : label,
  }));
  return {
    isNew,
    fragment: {
      verticals: [{ ...stated, ...(labelled === undefined ? {} : { fields: labelled }), key: values.key }],
    },
  };
}

export function supplierInput({ values, changed }: Draft<SupplierForm>, isNew: boolean): ConfigurationInput {
  const stated = isNew ? { ...withoutDefaults(values, newSupplier), status: values.status } : changed;
  return { isNew, fragment: { suppliers: [{ ...stated, key: values.key }] } };
}

/** Sends only settings that were changed in this form, because the partner may change others at the same time. */
export function partnerInput(
  { values, changed }: Draft<PartnerForm>,
  before: PartnerSettings,
  isNew: boolean,
): ConfigurationInput {
  const { settings: _all, ...stated } = isNew ? withoutDefaults(values, partnerDefaults) : changed;
  const settings = changedMembers(before, values.settings);
  const statedSettings = Object.keys(settings).length === 0 ? {} : { settings };
  return { isNew, fragment: { partners: [{ ...stated, ...statedSettings, key: values.key }] } };
}

/** The change of a partner's form that an input states: of its settings only some. */
export function partnerChange(input: ConfigurationInput | null, loaded: PartnerForm): Partial<PartnerForm> {
  const { offers: _offers, settings, ...stated } = input?.fragment?.partners?.[0] ?? {};
  return settings === undefined ? stated : { ...stated, settings: { ...loaded.settings, ...settings } };
}

/** All values of the form whose input is given, also those that the input omits as defaults; none without an input. */
export function newPartnerFrom(input: ConfigurationInput | null): Partial<PartnerForm> {
  return input === null ? {} : { ...partnerDefaults, ...partnerChange(input, partnerDefaults) };
}

/** The same of a new supplier. */
export function newSupplierFrom(input: ConfigurationInput | null): Partial<SupplierForm> {
  return input === null ? {} : { ...newSupplier, ...input.fragment?.suppliers?.[0] };
}

export function offerInput(
  { values, changed }: Draft<OfferForm>,
  partnerKey: string,
  isNew: boolean,
): ConfigurationInput {
  const stated = isNew ? { ...withoutDefaults(values, newOffer), eventType: values.eventType } : changed;
  return { isNew, fragment: { partners: [{ key: partnerKey, offers: [{ ...stated, key: values.key }] }] } };
}
