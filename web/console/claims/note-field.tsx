// The note to the partner of a claim, with ready-made notes to fill it.
import { Select, Textarea } from '@mantine/core';
import { type ReactNode, type Ref, useState } from 'react';

import { readyNotesFor, withReadyNote } from './ready-notes.ts';

const NOTE_LENGTH_MAX = 500;

type Direction = 'approve' | 'deny';

const GROUPS: Readonly<Record<Direction, string>> = { approve: 'To approve', deny: 'To deny' };

export function NoteField({
  ref,
  reason,
  directions,
  description,
  note,
  error,
  onNote,
  onError,
  onSubmit,
}: {
  readonly ref?: Ref<HTMLTextAreaElement>;
  /** Of the claims; null if they have different ones, which no ready-made note fits. */
  readonly reason: string | null;
  readonly directions: readonly Direction[];
  readonly description: string;
  readonly note: string;
  readonly error: string | null;
  readonly onNote: (note: string) => void;
  /** Null once the note is changed. */
  readonly onError: (error: string | null) => void;
  /** By Ctrl+Enter. */
  readonly onSubmit: () => void;
}): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
  const write = (text: string): void => {
    onNote(text);
    onError(null);
  };
  const notes = reason === null ? null : readyNotesFor(reason);
  // Never replaces text that was typed.
  const choose = (ready: string | null): void => {
    if (ready === null) return;
    const filled = withReadyNote(note, ready, { chosen, lengthMax: NOTE_LENGTH_MAX });
    if (filled === null) return onError('There is no room for the ready-made note. Shorten this note first.');
    setChosen(ready);
    write(filled);
  };
  return (
    <>
      {notes !== null && (
        <Select
          label="Ready-made note"
          description="Fills the note below, which you can then edit."
          placeholder="Choose a note"
          data={directions.map((direction) => ({ group: GROUPS[direction], items: [...notes[direction]] }))}
          value={note === chosen ? chosen : null}
          allowDeselect={false}
          onChange={choose}
        />
      )}
      <Textarea
        {...(ref === undefined ? {} : { ref })}
        label="Note to the partner"
        description={description}
        value={note}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit();
        }}
        error={error}
        maxLength={NOTE_LENGTH_MAX}
        autosize
        minRows={2}
      />
    </>
  );
}
