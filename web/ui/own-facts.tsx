// The fields of a lead's vertical with their labels. All values come from outside and are shown as plain text.
import { Fragment } from 'react';

import type { Fact } from './facts.tsx';
import { formatMoney, formatPhone } from './formats.ts';
import { OutsideLink } from './link.tsx';
import { Time } from './zone.tsx';

export type ShownOwnField = {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly value: string | number | boolean;
};

/** Marks a field that partners do not get. */
export function withNote<Field extends ShownOwnField>({ hidden, ...field }: Field & { readonly hidden?: boolean }) {
  return hidden === true ? { ...field, label: `${field.label} (not delivered)` } : field;
}

export function ownFacts(fields: readonly ShownOwnField[], currency: string): Fact[] {
  return fields.map((field): Fact => [field.label, <Fragment key={field.name}>{shown(field, currency)}</Fragment>]);
}

function shown({ type, value }: ShownOwnField, currency: string) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return type === 'money' ? formatMoney(value, currency) : String(value);
  if (type === 'datetime') return <Time at={value} />;
  if (type === 'url') return <OutsideLink href={value} />;
  return type === 'phone' ? formatPhone(value) : value;
}
