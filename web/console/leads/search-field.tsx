// A search field that reports the text after a pause in typing and follows changes of its value from outside.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

/** Longer than between two keys, short enough not to be noticed. */
const PAUSE_MS = 350;

export function SearchField({
  value,
  onChange,
  placeholder,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly placeholder: string;
}): ReactNode {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // The value reported by this field comes back later, when more may have been typed.
    if (value !== sent) setText(value);
  }
  const submit = useDebouncedCallback((typed: string) => {
    setSent(typed);
    onChange(typed);
  }, PAUSE_MS);
  return (
    <TextInput
      type="search"
      label="Search"
      placeholder={placeholder}
      autoComplete="off"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        submit(event.currentTarget.value);
      }}
    />
  );
}
