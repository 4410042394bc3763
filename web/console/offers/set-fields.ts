// Says which fields of a group of an offer's form differ from the defaults, in the words of the form. Pure.
import type { OfferForm } from '../configuration/configuration-api.ts';
import { fieldWords, valueWords } from '../configuration/field-words.ts';
import type { PathIn } from '../configuration/members.ts';
import { newOffer } from '../configuration/new-things.ts';

export type OfferPath = PathIn<OfferForm>;

type Naming = {
  readonly currency: string;
  /** Names by key, for fields whose values are keys. */
  readonly names?: ReadonlyMap<string, string>;
};

/** `Excluded states: CA, NV; Consent required`; null if all fields have their defaults. The only field of a group needs no label. */
export function setFieldsWords(
  values: OfferForm,
  paths: readonly OfferPath[],
  { currency, names }: Naming,
): string | null {
  const parts = paths.flatMap((path) => {
    const value = valueAt(values, path);
    if (JSON.stringify(value) === JSON.stringify(valueAt(newOffer, path))) return [];
    if (value === true) return [fieldWords(path)];
    const named = Array.isArray(value) ? value.map((item: unknown) => names?.get(String(item)) ?? item) : value;
    const words = valueWords(path, named, currency);
    return [paths.length === 1 ? words : `${fieldWords(path)}: ${words}`];
  });
  return parts.length === 0 ? null : parts.join('; ');
}

function valueAt(values: OfferForm, path: OfferPath): unknown {
  return path.split('.').reduce<unknown>((member, name) => (member as Record<string, unknown>)[name], values);
}
