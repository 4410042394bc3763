// A form's values while they are being changed: what they were, what they are, and what is wrong with them by the place in the form.
import { useCallback, useState } from 'react';

import type { InputFault } from '../../../src/console/changes.schema.ts';

/** Faults by the member's path within the form: `caps.daily`, `schedule[0].to`. */
export type Faults = {
  readonly all: readonly InputFault[];
  /** Of a member, and of what is in it; undefined for none. */
  of(member: string): string | undefined;
};

export type Draft<Form> = {
  readonly values: Form;
  readonly set: <Name extends keyof Form & string>(name: Name, value: Form[Name]) => void;
  /** What differs from what was loaded, member by member of the first level. */
  readonly changed: Partial<Form>;
  readonly isDirty: boolean;
  /** Of the configuration that the values were loaded from. */
  readonly version: number;
  readonly reset: () => void;
  /** Another one where all values have been replaced: for parts of the form that keep something of their own. */
  readonly generation: number;
  /** The values are in force now. */
  readonly accept: (version: number) => void;
};

/**
 * What is loaded anew takes the place of the values as long as nothing has been changed. `overlay` holds changes from before, such as
 * those of a simulation that one comes back from.
 */
export function useDraft<Form extends object>(loaded: Form, version: number, overlay?: Partial<Form>): Draft<Form> {
  const [base, setBase] = useState({ form: loaded, version });
  const [values, setValues] = useState<Form>(() => ({ ...loaded, ...overlay }));
  const [generation, setGeneration] = useState(0);
  const changed = changedMembers(base.form, values);
  const isDirty = Object.keys(changed).length > 0;
  // An answer that is older than what was applied here is on its way no more than a moment.
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

/** `prefix` is the place of the form's thing in the fragment, such as `partners[0].offers[0]`. */
export function faultsIn(faults: readonly InputFault[], prefix: string): Faults {
  const own = faults.map((fault) => ({
    ...fault,
    path: fault.path.startsWith(`${prefix}.`) ? fault.path.slice(prefix.length + 1) : fault.path,
  }));
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

/** What the service says of a value begins with "must" or "is". */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
