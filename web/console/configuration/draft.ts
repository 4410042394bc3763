// The state of a form: values as loaded, values as edited, and errors by the member's path.
import { useCallback, useState } from 'react';

import type { InputFault } from '../../../src/console/changes.schema.ts';

/** Errors by the member's path within the form: `caps.daily`, `schedule[0].to`. */
export type Faults = {
  readonly all: readonly InputFault[];
  /** The errors of a member and of its inner members as one text; undefined for none. */
  of(member: string): string | undefined;
};

export type Draft<Form> = {
  readonly values: Form;
  readonly set: <Name extends keyof Form & string>(name: Name, value: Form[Name]) => void;
  /** The members of the first level that differ from the loaded values. */
  readonly changed: Partial<Form>;
  readonly isDirty: boolean;
  /** The version of the configuration that the values were loaded from. */
  readonly version: number;
  readonly reset: () => void;
  /** Increases when all values are replaced: the React key of fields with a state of their own. */
  readonly generation: number;
  /** Called with the new version after the values were applied. */
  readonly accept: (version: number) => void;
};

/**
 * A refetch replaces the values unless the form has changes. `overlay` holds changes to restore, such as those of a simulation that the
 * operator returns from.
 */
export function useDraft<Form extends object>(loaded: Form, version: number, overlay?: Partial<Form>): Draft<Form> {
  const [base, setBase] = useState({ form: loaded, version });
  const [values, setValues] = useState<Form>(() => ({ ...loaded, ...overlay }));
  const [generation, setGeneration] = useState(0);
  const changed = changedMembers(base.form, values);
  const isDirty = Object.keys(changed).length > 0;
  // A response may be older than the version applied here; it is ignored, and a newer one follows.
  if (!isDirty && version >= base.version && !isSame([loaded, version], [base.form, base.version])) {
    setBase({ form: loaded, version });
    setValues(loaded);
    if (!isSame(base.form, loaded)) setGeneration((before) => before + 1);
  }
  const set = useCallback<Draft<Form>['set']>(
    (name, value) => setValues((before) => ({ ...before, [name]: value })),
    [],
  );
  return {
    ...{ values, set, changed, isDirty, generation, version: base.version },
    reset() {
      setValues(base.form);
      setGeneration((before) => before + 1);
    },
    accept: (applied) => setBase({ form: values, version: applied }),
  };
}

export function changedMembers<Form extends object>(before: Form, after: Form): Partial<Form> {
  const names = Object.keys(after) as Array<keyof Form>;
  return Object.fromEntries(
    names.filter((name) => !isSame(before[name], after[name])).map((name) => [name, after[name]]),
  ) as Partial<Form>;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * `prefix` is the path of the edited item in the fragment, such as `partners[0].offers[0]`. Members that were changed since the errors were
 * found have none: they are checked again with the next review.
 */
export function faultsIn(faults: readonly InputFault[], prefix: string, changedSince: object = {}): Faults {
  const within = (path: string): string => {
    if (path === prefix) return '';
    return path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1) : path;
  };
  const own = faults
    .map((fault) => ({ ...fault, path: within(fault.path) }))
    .filter(({ path }) => !Object.hasOwn(changedSince, path.split(/[.[]/)[0] ?? ''));
  return {
    all: own,
    of(member) {
      const found = own.filter(
        ({ path }) => path === member || path.startsWith(`${member}.`) || path.startsWith(`${member}[`),
      );
      return found.length === 0 ? undefined : found.map(({ message }) => capital(message)).join('. ');
    },
  };
}

/** Capitalizes a text, such as an error message of the service, which begins with "must" or "is". */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
