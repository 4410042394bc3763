// The editor of the whole configuration as one file: edit, review and apply as with `leadmarket apply`, or download.
import { Alert, Anchor, Button, Checkbox, FileButton, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';

import type { CurrentFile } from '../../../src/console/configuration.schema.ts';
import { Section } from '../../ui/facts.tsx';
import { formatNumber } from '../../ui/formats.ts';
import { notify } from '../../ui/notify.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { CODE_STYLES, goToPlace } from '../../ui/text-places.ts';
import { ChangeReview } from '../changes/change-review.tsx';
import { useReview } from '../changes/use-review.ts';
import type { InputFault } from '../../../src/console/changes.schema.ts';
import { useCurrentFile } from './configuration-api.ts';
import { useDraft } from './draft.ts';
import type { TriedChange } from '../simulations/simulation-queries.tsx';
import { LeaveGuard } from './leave-guard.tsx';

/** The service's limit for a file. */
const BYTES_MAX = 5_000_000;

export function FileEditor({ tried }: { readonly tried: TriedChange | null }): ReactNode {
  const query = useCurrentFile();
  return (
    <Loaded query={query} what="Loading the file">
      {(file) => <Editor file={file} overlay={tried?.text === undefined ? {} : { text: tried.text }} />}
    </Loaded>
  );
}

function Editor({
  file,
  overlay,
}: {
  readonly file: CurrentFile;
  readonly overlay: { readonly text?: string };
}): ReactNode {
  const draft = useDraft<{ readonly text: string }>({ text: file.text ?? '' }, file.version, overlay);
  const navigate = useNavigate();
  const area = useRef<HTMLTextAreaElement>(null);
  const mayLeave = useRef(false);
  const [prune, setPrune] = useState(false);
  const review = useReview();
  const { faults, error } = review;
  const { text } = draft.values;
  return (
    <Section
      title="The file"
      actions={<FileActions onText={(next) => draft.set('text', next)} onError={review.setError} />}
    >
      <Stack>
        {file.text === null && (
          <Text size="sm">
            The configuration has {formatNumber(Math.round(file.length / 1000))} kB, too much to edit here. Download it,
            or enter only what you want to change: entries that the file leaves out stay unchanged.
          </Text>
        )}
        {faults.length > 0 && (
          <TextFaults faults={faults} onGoTo={(line, column) => goToPlace(area.current, line, column)} />
        )}
        <Textarea
          ref={area}
          label="Marketplace file"
          description="YAML. Members left out of an entry take their defaults. Entries left out of the file stay unchanged."
          value={text}
          onChange={({ currentTarget }) => draft.set('text', currentTarget.value)}
          rows={24}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          error={faults.length > 0}
          styles={CODE_STYLES}
        />
        <Checkbox
          label="Close everything that is not in the file"
          description="Suspends suppliers and partners and closes offers that the file does not name. Nothing is deleted."
          checked={prune}
          onChange={({ currentTarget }) => setPrune(currentTarget.checked)}
        />
        {error !== null && <Failure error={error} />}
        <Group justify="flex-end">
          {draft.isDirty && (
            <Text size="sm" c="dimmed" role="status">
              Not applied yet
            </Text>
          )}
          <Button
            variant="default"
            disabled={!draft.isDirty}
            onClick={() => {
              draft.reset();
              review.setFaults([]);
            }}
          >
            Discard
          </Button>
          <Button
            onClick={() => void review.start({ text, prune }, draft.version)}
            loading={review.isBusy}
            disabled={!draft.isDirty && !prune}
          >
            Review change
          </Button>
        </Group>
      </Stack>
      <ChangeReview
        {...review.dialog}
        seen={draft.version}
        onTried={(id) => {
          mayLeave.current = true;
          void navigate({ to: '/simulation', search: { id } });
        }}
        onApplied={({ version }) => {
          review.close();
          setPrune(false);
          draft.accept(version);
          notify('Change applied. All processes use it within 5 seconds.');
        }}
      />
      <LeaveGuard isDirty={draft.isDirty} mayLeave={mayLeave} />
    </Section>
  );
}

function FileActions({
  onText,
  onError,
}: {
  readonly onText: (text: string) => void;
  readonly onError: (error: unknown) => void;
}): ReactNode {
  const load = async (file: File | null): Promise<void> => {
    if (file === null) return;
    if (file.size > BYTES_MAX) {
      notify('The file is larger than 5 MB, the limit of a marketplace file. Choose a smaller one.');
      return;
    }
    try {
      onText(await file.text());
    } catch (failure) {
      onError(failure);
    }
  };
  return (
    <Group gap="sm">
      <FileButton onChange={(file) => void load(file)} accept=".yaml,.yml,.json,text/plain">
        {(props) => (
          <Button {...props} variant="default" size="xs">
            Open file
          </Button>
        )}
      </FileButton>
      <Button component="a" href="/console/api/configuration/export" download variant="default" size="xs">
        Download current file
      </Button>
    </Group>
  );
}

/** Lists the errors, each with a link to its position in the text. */
function TextFaults({
  faults,
  onGoTo,
}: {
  readonly faults: readonly InputFault[];
  readonly onGoTo: (line: number, column: number) => void;
}): ReactNode {
  return (
    <Alert color="red" variant="outline" title="Correct these errors to apply the file" role="alert">
      <List size="sm">
        {faults.slice(0, 50).map(({ line, column, path, message }) => (
          <List.Item key={`${line} ${column} ${path} ${message}`}>
            {line !== null && column !== null && (
              <>
                <Anchor component="button" type="button" inherit onClick={() => onGoTo(line, column)}>
                  Line {line}, column {column}
                </Anchor>
                {': '}
              </>
            )}
            {path !== '' && `${path} `}
            {message}
          </List.Item>
        ))}
      </List>
      {faults.length > 50 && <Text size="sm">… and {faults.length - 50} more.</Text>}
    </Alert>
  );
}
