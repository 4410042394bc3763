// Text fields of a list's filters that set the filter after a pause in typing, among them the source and the US state of leads.
import { TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { Filter } from './filters.ts';

/** Pause in typing after which a filter is set. */
const TYPING_MS = 300;

/** The typed text, and its setter. `onChange` is called with the trimmed text after a pause in typing. */
export function useTyped(value: string, onChange: (text: string) => void): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const typed = useRef(value);
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  // Follows Back and Forward to another value, but does not overwrite text being typed.
  useEffect(() => {
    if (value === typed.current) return;
    typed.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === typed.current) return undefined;
    const timer = setTimeout(() => {
      typed.current = wanted;
      change.current(wanted);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

function TypedField({
  value,
  onChange,
  ...input
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  readonly value: string;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const [text, setText] = useTyped(value, onChange);
  return <TextInput {...input} value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />;
}

/** Anything but two letters is no code of a state. */
export const usStateFilter: Filter<string> = {
  read: (text) => (text !== undefined && /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : ''),
  write: (value) => value,
};

type Field = { readonly value: string; readonly onChange: (text: string) => void };

export function UsStateField({ value, onChange }: Field): ReactNode {
  return (
    <TypedField
      label="US state"
      placeholder="CA"
      maxLength={2}
      value={value}
      onChange={(text) => onChange(usStateFilter.read(text))}
    />
  );
}

export function SourceField({ value, onChange }: Field): ReactNode {
  return <TypedField label="Source" placeholder="As in reports" maxLength={200} value={value} onChange={onChange} />;
}
