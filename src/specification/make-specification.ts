// Builds the posting specification of a supplier: everything that its developer needs to post leads, with the supplier's own field names
// (contract 1, 3, 5.8). It can be passed on, because it contains no key and no secret.
import type { Regions } from '../base/regions.ts';
import { ANY_TEXT, fieldGuide, neededFields, possibleErrors, stateGuide } from '../leads/field-guide.rules.ts';
import { invalidError, requiredError, tooLongError } from '../leads/field-errors.rules.ts';
import type { SupplierVerticals } from '../leads/supplier-verticals.rules.ts';
import type { RateLimit } from '../marketplace/settings.ts';
import type { OwnField, Vertical } from '../marketplace/verticals.ts';
import { describeOwnField } from './own-field-guide.rules.ts';
import { callbackSummaries } from '../suppliers/callback.schema.ts';
import { type MappingConstant, standardNames } from '../suppliers/field-mapping.rules.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { callbackEvents } from '../suppliers/supplier.schema.ts';
import { type ResponseGuide, responseGuides } from './response-guides.ts';
import { mappedFields } from './mapped-fields.rules.ts';
import { buildExample, validOwnSample, validSample } from './example-submission.rules.ts';
import { postingCode, type SampleCode, verifyingCode } from './sample-code.rules.ts';

export type SpecifiedField = {
  readonly field: string;
  readonly meaning: string;
  readonly type: string;
  /** Null if any text is valid. */
  readonly format: string | null;
  readonly lengthMax: number | null;
  /** A sample value under the first of its names; null if no value can be sent. */
  readonly sample: string | null;
  /** The incoming names in the order in which they are read; the standard name without a mapping. */
  readonly names: ReadonlyArray<{ readonly name: string; readonly treatment: string | null }>;
  /** Overrides any sent value; null if none is set. */
  readonly constant: MappingConstant | null;
  /** The texts of possible errors. */
  readonly faults: readonly string[];
};

export type SpecifiedVertical = {
  readonly key: string;
  readonly name: string;
  /** A lead of the default vertical need not name it. */
  readonly isDefault: boolean;
  /** Names of own fields that every lead needs. */
  readonly required: readonly string[];
  readonly fields: readonly SpecifiedField[];
  /** Null if no submission can be valid with this mapping. */
  readonly example: Specification['example'];
};

export type Specification = {
  readonly supplierKey: string;
  readonly name: string;
  readonly status: SupplierConfig['status'];
  readonly marketplace: string;
  readonly generatedAt: string;
  readonly url: string;
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string; readonly meaning: string }>;
  readonly rateLimit: RateLimit;
  readonly bodyLimitKib: number;
  readonly needed: readonly string[];
  readonly fields: readonly SpecifiedField[];
  /** Those that the supplier may post into, its default one first; empty without verticals. */
  readonly verticals: readonly SpecifiedVertical[];
  readonly isMapped: boolean;
  /** Null if no submission can be valid with this mapping. */
  readonly example: { readonly body: string; readonly isTest: boolean } | null;
  readonly samples: readonly SampleCode[];
  readonly responses: readonly ResponseGuide[];
  readonly repeating: readonly string[];
  readonly callbacks: {
    readonly url: string | null;
    readonly events: ReadonlyArray<{
      readonly type: string;
      readonly meaning: string;
      readonly isSent: boolean;
      readonly example: string;
    }>;
    readonly rules: readonly string[];
    readonly samples: readonly SampleCode[];
  };
};

export type SpecificationInput = {
  readonly supplier: SupplierConfig;
  /** The service's origin as seen by the supplier: `https://leads.example`. */
  readonly origin: string;
  readonly marketplace: string;
  readonly regions: Regions;
  /** Null where the marketplace has none. */
  readonly verticals: SupplierVerticals | null;
};

const PATH = '/api/v1/ingest';
const BODY_LIMIT_KIB = 64;

const HEADERS: Specification['headers'] = [
  {
    name: 'x-api-key',
    value: 'YOUR_SUPPLIER_KEY',
    meaning: 'Your supplier key, lms_… Keep it on your server, never in a page or an app.',
  },
  { name: 'Content-Type', value: 'application/json', meaning: 'One JSON object in UTF-8, not compressed.' },
  {
    name: 'Idempotency-Key',
    value: 'a new UUID',
    meaning:
      'Optional: 1 to 255 printable ASCII characters. Repeats the first answer for 24 hours. external_id does the same for less.',
  },
];

const REPEATING: readonly string[] = [
  'external_id is yours to choose, one per lead. The same one with the same content answers as the first time, with the header Idempotent-Replayed: true, and is counted once: after a timeout or a 503, post the same lead again.',
  'The same external_id with other content is 409 external_id_conflict, and nothing is changed. Order of members and white space play no part.',
  'A refused submission (422) does not occupy its external_id. Test leads have external_ids of their own.',
  'A lead without external_id is a new lead every time. Give it one, or an Idempotency-Key.',
  'With Idempotency-Key, the same key and body repeat the first answer byte by byte for 24 hours. Another body under the key is 422 idempotency_key_reused.',
  'Repeat after a lost connection, 429, 503 and 500, and wait longer each time; Retry-After says how long at least. Nothing else gets better by repeating.',
];

const CALLBACK_RULES: readonly string[] = [
  'A callback is a POST with a JSON body {type, timestamp, data}, signed by Standard Webhooks: headers webhook-id, webhook-timestamp, webhook-signature.',
  'Verify the signature over the bytes of the body as they came, before you read it, and refuse what is older than five minutes.',
  'webhook-id is the same on every attempt: take each one once. Answer 2xx within 15 seconds and do the work afterwards. Redirects are not followed.',
  'Anything but 2xx is tried again, later and later, for about 18 hours. A 4xx other than 408, 409, 425 and 429 ends at its third attempt, a 410 at its first.',
  'While a secret is being replaced, two signatures stand in the header with a space between: one of them fits.',
];

const CALLBACK_EXAMPLES = {
  'lead.processing_error': { status: 'Duplicate', reason: 'duplicate' },
  'lead.routed': { status: 'Lead Sale', reason: null },
  'lead.rejected': { status: 'No Buyer', reason: 'no_buyer' },
  'lead.returned': { status: 'Lead Sale', reason: 'invalid_phone' },
} as const satisfies Record<keyof typeof callbackSummaries, { status: string; reason: string | null }>;

export function makeSpecification(
  { supplier, origin, marketplace, regions, verticals }: SpecificationInput,
  now: Date,
): Specification {
  const { supplierKey, name, status, fieldMapping, rateLimit, callback } = supplier;
  const byDefault = verticals?.open.get(verticals.byDefault ?? '') ?? null;
  const ofDefault = byDefault === null ? null : { vertical: byDefault, isDefault: true };
  const example = buildExample(fieldMapping, regions, now, ofDefault);
  const url = `${origin}${PATH}`;
  return {
    ...{ supplierKey, name, status, marketplace, url, rateLimit, headers: HEADERS, bodyLimitKib: BODY_LIMIT_KIB },
    generatedAt: now.toISOString(),
    needed: neededFields.map(({ words }) => words),
    fields: fieldsOf(supplier, regions, now),
    verticals: verticalsIn(verticals).map((vertical) =>
      describeVertical(vertical, { supplier, regions, isDefault: vertical === byDefault }, now),
    ),
    isMapped: Object.keys(fieldMapping).length > 0,
    example: shownExample(example),
    samples: example === null ? [] : postingCode(url, example.body),
    responses: responseGuides,
    repeating: REPEATING,
    callbacks: {
      url: callback?.url ?? null,
      events: callbackEvents.map((type) => ({
        type,
        meaning: `${callbackSummaries[type]}.`,
        isSent: callback?.events.includes(type) ?? false,
        example: callbackExample(type, now),
      })),
      rules: CALLBACK_RULES,
      samples: verifyingCode,
    },
  };
}

function fieldsOf({ fieldMapping }: SupplierConfig, regions: Regions, now: Date): Specification['fields'] {
  const mapped = mappedFields(fieldMapping);
  const constants = new Map(mapped.constants.map(({ field, value }) => [field, value]));
  const taken = new Set(mapped.fields.map(({ name }) => name));
  return standardNames.map((field) => {
    const { meaning, type, format, lengthMax } = field === 'state' ? stateGuide(regions) : fieldGuide[field];
    const constant = constants.get(field) ?? null;
    const sources = mapped.fields.filter((source) => source.field === field);
    const own = taken.has(field) ? [] : [{ name: field, treatment: null }];
    const names = sources.length === 0 ? own : sources.map(({ name, treatment }) => ({ name, treatment }));
    const sample = names.length === 0 ? undefined : validSample(field, sources[0] ?? null, { regions, now });
    return {
      ...{ field, meaning, type, lengthMax, constant },
      format: format === ANY_TEXT ? null : format,
      names: constant === null ? names : [],
      sample: constant !== null || sample === undefined ? null : JSON.stringify(sample),
      faults: possibleErrors(field),
    };
  });
}

function verticalsIn(verticals: SupplierVerticals | null): Vertical[] {
  const open = [...(verticals?.open.values() ?? [])];
  return open.toSorted(
    (one, other) => Number(other.key === verticals?.byDefault) - Number(one.key === verticals?.byDefault),
  );
}

type VerticalInput = Pick<SpecificationInput, 'supplier' | 'regions'> & { readonly isDefault: boolean };

function describeVertical(
  vertical: Vertical,
  { supplier: { fieldMapping }, regions, isDefault }: VerticalInput,
  now: Date,
): SpecifiedVertical {
  const { key, name, fields } = vertical;
  return {
    ...{ key, name, isDefault },
    required: fields.filter(({ required }) => required).map((field) => field.name),
    fields: fields.map((field) => describeField(field, fieldMapping, now)),
    example: shownExample(buildExample(fieldMapping, regions, now, { vertical, isDefault })),
  };
}

function describeField(field: OwnField, mapping: SupplierConfig['fieldMapping'], now: Date): SpecifiedField {
  const mapped = mappedFields(mapping);
  const constant = mapped.constants.find((set) => set.field === field.name)?.value ?? null;
  const sources = mapped.fields.filter((source) => source.field === field.name);
  const own = mapped.fields.some(({ name }) => name === field.name) ? [] : [{ name: field.name, treatment: null }];
  const names = sources.length === 0 ? own : sources.map(({ name, treatment }) => ({ name, treatment }));
  const sample = names.length === 0 ? undefined : validOwnSample(field, sources[0] ?? null, now);
  const guide = describeOwnField(field);
  return {
    ...{ field: field.name, constant, ...guide },
    names: constant === null ? names : [],
    sample: constant !== null || sample === undefined ? null : JSON.stringify(sample),
    faults: [
      ...(field.required ? [requiredError(field.name)] : []),
      invalidError(field.name),
      ...(guide.lengthMax === null ? [] : [tooLongError(field.name)]),
    ],
  };
}

function shownExample(example: ReturnType<typeof buildExample>): Specification['example'] {
  return example === null ? null : { body: JSON.stringify(example.body, null, 2), isTest: example.isTest };
}

function callbackExample(type: keyof typeof callbackSummaries, now: Date): string {
  const timestamp = now.toISOString();
  const data = {
    lead_id: 'lead_01m7xnp2vpe9rtj82p033hep4t',
    external_id: 'A-1001',
    ...CALLBACK_EXAMPLES[type],
    occurredAt: timestamp,
  };
  return JSON.stringify({ type, timestamp, data }, null, 2);
}
