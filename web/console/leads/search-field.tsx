// A field for what is searched for: told when one stops typing, and following the address when that changes elsewhere.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

/** Longer than between two keys, shorter than a wait. */
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
    // What was told from here comes back a moment later, when more may have been typed.
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
