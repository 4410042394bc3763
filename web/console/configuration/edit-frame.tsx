// The frame of every configuration form: review before applying, errors at their fields, a warning before unapplied changes are lost.
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { notify } from '../../ui/notify.tsx';
import { Failure } from '../../ui/states.tsx';
import { ChangeReview } from '../changes/change-review.tsx';
import { useReview } from '../changes/use-review.ts';
import type { ConfigurationInput } from './configuration-api.ts';
import { capital, changedMembers, type Draft, type Faults, faultsIn } from './draft.ts';
import { fieldWords } from './field-words.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { Allowed, useMay } from '../allowed.tsx';

export function EditFrame<Form extends object>({
  draft,
  input,
  root,
  label,
  onApplied,
  children,
}: {
  readonly draft: Draft<Form>;
  /** The change that the draft stands for. */
  readonly input: ConfigurationInput;
  /** The path of the edited item in the fragment, such as `suppliers[0]`. */
  readonly root: string;
  /** The name of the form for assistive technology. */
  readonly label: string;
  /** Called after the change is applied, for example to open the page of a new item. */
  readonly onApplied?: () => void;
  readonly children: (faults: Faults) => ReactNode;
}): ReactNode {
  const navigate = useNavigate();
  const may = useMay('configure');
  const form = useRef<HTMLFormElement>(null);
  const mayLeave = useRef(false);
  const [reviewedValues, setReviewedValues] = useState(draft.values);
  const review = useReview();
  const { faults: found, isBusy, error } = review;
  const faults = faultsIn(found, root, changedMembers(reviewedValues, draft.values));

  useEffect(() => {
    if (found.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-faults]')?.focus();
  }, [found]);

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        mayLeave.current = false;
        void review.start(input, draft.version, () => setReviewedValues(draft.values));
      }}
      aria-label={label}
      noValidate
    >
      <Stack gap="lg">
        {!may && (
          <Allowed to="configure" otherwise="change this">
            {null}
          </Allowed>
        )}
        <FaultList faults={faults} />
        {children(faults)}
        {error !== null && <Failure error={error} />}
        <Group justify="flex-end" align="center">
          {draft.isDirty && (
            <Text size="sm" c="dimmed" role="status">
              Not applied yet
            </Text>
          )}
          <Button
            variant="default"
            disabled={!draft.isDirty || isBusy}
            onClick={() => {
              draft.reset();
              review.setFaults([]);
            }}
          >
            Discard
          </Button>
          <Button type="submit" loading={isBusy} disabled={!draft.isDirty || !may}>
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
          draft.accept(version);
          notify('Change applied. All processes use it within 5 seconds.');
          mayLeave.current = true;
          onApplied?.();
        }}
      />
      <LeaveGuard isDirty={draft.isDirty} mayLeave={mayLeave} />
    </form>
  );
}

/** Lists all errors, because a field may be out of view. Each error is also shown at its field. */
function FaultList({ faults }: { readonly faults: Faults }): ReactNode {
  if (faults.all.length === 0) return null;
  return (
    <Alert
      color="red"
      variant="outline"
      title="Correct these errors to apply the change"
      role="alert"
      data-faults=""
      tabIndex={-1}
    >
      <List size="sm">
        {faults.all.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            {path === '' ? '' : `${fieldWords(path)}: `}
            {path === '' ? capital(message) : message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
