// Checks what a partner or supplier has chosen for its notices, by the same declarations and rules as the marketplace file (contract 12.3).
import { Ajv, type ValidateFunction } from 'ajv';

import { formOf, withDefaults } from '../marketplace/configured-form.rules.ts';
import {
  type PartnerNotices,
  PartnerNoticesSchema,
  type SupplierNotices,
  SupplierNoticesSchema,
} from '../marketplace/notices.schema.ts';
import { memberFaults } from '../marketplace-file/member-checks.rules.ts';
import type { FieldFault } from '../platform/http/request-fault.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';

export type OwnerKind = 'buyer' | 'supplier';

export type CheckedSettings =
  | {
      readonly ok: true;
      readonly settings: PartnerNotices | SupplierNotices;
      /** Their hosts are still to be looked up in DNS. */
      readonly targets: ReadonlyArray<{ readonly url: string; readonly field: string }>;
    }
  | { readonly ok: false; readonly errors: readonly FieldFault[] };

const compiled = new Map<OwnerKind, ValidateFunction>();

/** Members that are left out get their defaults. */
export function checkNoticeSettings(
  ownerKind: OwnerKind,
  input: unknown,
  { allowTargets }: { readonly allowTargets: AllowedTargets },
): CheckedSettings {
  const schema = ownerKind === 'buyer' ? PartnerNoticesSchema : SupplierNoticesSchema;
  const value = withDefaults(schema, input);
  const targets: Array<{ url: string; field: string }> = [];
  const found = [
    ...memberFaults(schema, value, '', {
      ...{ allowTargets, regions: 'any' },
      // Amounts are checked as they are written; here they come as numbers.
      sourceOf: (pointer) => String(memberAt(value, pointer)),
      onTarget: (url, pointer) => void targets.push({ url, field: fieldOf(pointer) }),
    }),
  ];
  if (found.length > 0) {
    return {
      ok: false,
      errors: found.map(({ pointer, message }) => ({ field: fieldOf(pointer), code: 'invalid_format', message })),
    };
  }
  const validate = validatorOf(ownerKind, schema);
  if (validate(value)) return { ok: true, settings: formOf(schema, value) as PartnerNotices, targets };
  const [error] = validate.errors ?? [];
  const { errorMessage } = (error?.parentSchema ?? {}) as { readonly errorMessage?: string };
  const message = errorMessage ?? error?.message ?? 'is not valid';
  return { ok: false, errors: [{ field: fieldOf(error?.instancePath ?? ''), code: 'invalid_format', message }] };
}

function validatorOf(ownerKind: OwnerKind, schema: object): ValidateFunction {
  const known = compiled.get(ownerKind);
  if (known !== undefined) return known;
  // Not strict, because of the notes in these schemas.
  const validate = new Ajv({ allErrors: true, verbose: true, strict: false }).compile(schema);
  compiled.set(ownerKind, validate);
  return validate;
}

function fieldOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}

function memberAt(value: unknown, pointer: string): unknown {
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((found, name) => (found as Readonly<Record<string, unknown>> | null | undefined)?.[name], value);
}
