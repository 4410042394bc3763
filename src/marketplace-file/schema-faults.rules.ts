// Validates a marketplace file against its schema and turns the validator's errors into messages (contract 7.5).
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

import { branchFor, type MemberSchema } from '../marketplace/configured-form.rules.ts';
import { checkedSchema } from './file-schema.rules.ts';
import type { MemberFault } from './member-checks.rules.ts';
import { nearestName, unknownName } from './nearest-name.rules.ts';

type SchemaError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'schemaPath' | 'data'> & {
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema: MemberSchema;
  /** Replaces the keyword's message. */
  readonly message?: string;
};

let compiled: ValidateFunction | undefined;

/** All errors of a value with its defaults filled in. `sourceOf` returns a scalar as written in the file. */
export function schemaFaults(value: unknown, sourceOf: (pointer: string) => string | null): MemberFault[] {
  compiled ??= compileSchema();
  if (compiled(value)) return [];
  const errors = (compiled.errors ?? []).map(
    ({ keyword, instancePath, schemaPath, data, params, parentSchema }): SchemaError => ({
      ...{ keyword, instancePath, schemaPath, data, params, schema: parentSchema as MemberSchema },
    }),
  );
  return withoutOtherBranches(errors).map((error) => faultOf(error, sourceOf));
}

function compileSchema(): ValidateFunction {
  // Not strict, because of our own keywords; `repetitions` reports repeated entries one by one.
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
  ajv.removeKeyword('uniqueItems');
  return ajv.compile(checkedSchema);
}

/** For a union, keeps only the errors of the branch that the value's type selects, or a single error if there is none. */
function withoutOtherBranches(errors: readonly SchemaError[]): SchemaError[] {
  const kept: SchemaError[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    const { schemaPath, instancePath, schema, data } = error;
    const own: SchemaError[] = [];
    for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
      const isOwn = last.schemaPath.startsWith(`${schemaPath}/`) && last.instancePath.startsWith(instancePath);
      if (!isOwn) break;
      own.unshift(last);
      kept.pop();
    }
    const branch =
      schema.anyOf?.findIndex((one) => one.const === undefined && branchFor(one, data) !== undefined) ?? -1;
    const isScalar = typeof data !== 'object' || data === null;
    if (branch === -1 || (isScalar && schema.errorMessage !== undefined)) kept.push(error);
    else kept.push(...own.filter((one) => one.schemaPath.startsWith(`${schemaPath}/${branch}/`)));
  }
  return kept;
}

function faultOf(error: SchemaError, sourceOf: (pointer: string) => string | null): MemberFault {
  const { keyword, instancePath: pointer, params, schema, data } = error;
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const message = unknownName(name, Object.keys(schema.properties ?? {}));
    return { pointer: `${pointer}/${escaped(name)}`, message, ofName: true };
  }
  if (keyword === 'required') {
    return { pointer: `${pointer}/${escaped(String(params['missingProperty']))}`, message: 'is missing' };
  }
  if (keyword === 'enum') return { pointer, message: describeChoice(schema, data) };
  if (keyword === 'type' && schema.type === 'string') {
    const source = typeof data === 'number' || typeof data === 'boolean' ? sourceOf(pointer) : null;
    return { pointer, message: source === null ? 'must be text' : `must be text; write it in quotes: "${source}"` };
  }
  if (keyword === 'type' && schema.type === 'array') return { pointer, message: LIST };
  if (keyword === 'exclusiveMinimum' && data === 0) return { pointer, message: 'must be more than 0' };
  // A negative amount gets the general message below.
  if (keyword === 'minimum' && schema.check === 'amount' && Number(data) >= 0) {
    return { pointer, message: `must be at least ${schema.minimum}` };
  }
  return { pointer, message: schema.errorMessage ?? describeSchema(schema) };
}

const LIST = 'must be a list, such as [one, two]';

/** The message that describes valid values of the schema. */
function describeSchema(schema: MemberSchema): string {
  const { type, anyOf = [], enum: names, minimum, exclusiveMinimum, maximum, properties } = schema;
  const [first] = anyOf;
  if (first !== undefined) {
    const others = anyOf.flatMap(({ const: constant }) => (constant === undefined ? [] : [`, or ${constant}`]));
    return `${first.type === 'array' ? LIST : (first.errorMessage ?? describeSchema(first))}${others.join('')}`;
  }
  if (names !== undefined) return describeChoice(schema, null);
  if (type === 'integer') return `must be a whole number from ${minimum} to ${maximum}`;
  if (type === 'number') return `must be a number from ${minimum ?? exclusiveMinimum} to ${maximum}`;
  if (type === 'boolean') return 'must be true or false';
  if (type === 'array') return LIST;
  if (type === 'object') return `must be a map of ${Object.keys(properties ?? {}).join(', ')}`;
  return 'must be text';
}

function describeChoice({ enum: names = [] }: MemberSchema, value: unknown): string {
  const meant = typeof value === 'string' ? nearestName(value, names) : null;
  return `must be one of ${names.join(', ')}${meant === null ? '' : ` (did you mean "${meant}"?)`}`;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
