// The files of a return or dispute: those that are attached, and more while it is open.
import { Button, FileInput, Group, Stack, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import type { ClaimFiles as Files } from '../../../../src/claims/claim-file.schema.ts';
import type { PortalClaim as Claim } from '../../../../src/portal/buyer/claims.schema.ts';
import { FileList } from '../../../ui/file-list.tsx';
import { queryText } from '../../../ui/filters.ts';
import { count } from '../../../ui/formats.ts';
import { notify } from '../../../ui/notify.tsx';
import { RequestError, sendFile } from '../../../ui/request.ts';
import { Failure } from '../../../ui/states.tsx';
import { download, request } from '../../portal-api.ts';
import { useMay } from '../../session.ts';

const FILES_MAX = 5;
const ACCEPTED = '.png,.jpg,.jpeg,.pdf,.txt,.csv,.wav,.mp3';

export function ClaimFiles({ claim: { id, status } }: { readonly claim: Claim }): ReactNode {
  const may = useMay('claims');
  const query = useQuery({
    queryKey: ['claims', 'files', id],
    queryFn: ({ signal }) =>
      request('GET /portal/api/buyer/claims/:claimId/files', { params: { claimId: id }, signal }),
  });
  const files = query.data?.data ?? [];
  const mayAdd =
    may &&
    (status === 'submitted' || status === 'under_review') &&
    query.data !== undefined &&
    files.length < FILES_MAX;
  if (query.error !== null) return <Failure error={query.error} title="The files could not be loaded" />;
  if (files.length === 0 && !mayAdd) return null;
  return (
    <Stack gap="xs">
      <Title order={3}>Files</Title>
      <FileList
        files={files}
        download={(fileId) =>
          download('GET /portal/api/buyer/claims/:claimId/files/:fileId', { params: { claimId: id, fileId } })
        }
      />
      {mayAdd && <Add claimId={id} />}
    </Stack>
  );
}

function Add({ claimId }: { readonly claimId: string }): ReactNode {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<readonly File[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => attachFiles(claimId, chosen),
    onSuccess: () => {
      notify(`${count(chosen.length, 'file')} added.`);
      setChosen([]);
    },
    // Those before the refused one are attached.
    onSettled: () => queries.invalidateQueries({ queryKey: ['claims'] }),
  });
  return (
    <Stack gap="xs">
      <FilesField label="Add files" value={chosen} onChange={setChosen} />
      {error !== null && <Failure error={error} title="A file was not added" />}
      {chosen.length > 0 && (
        <Group>
          <Button size="xs" onClick={() => mutate()} loading={isPending}>
            Attach {count(chosen.length, 'file')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

export function FilesField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}): ReactNode {
  return (
    <FileInput
      label={label}
      description="Images (PNG, JPEG), PDF, text, CSV or recordings (WAV, MP3); at most 5 of 5 MB each."
      placeholder="Choose files"
      accept={ACCEPTED}
      multiple
      clearable
      clearButtonProps={{ 'aria-label': 'Remove the files' }}
      value={[...value]}
      onChange={onChange}
      maw={420}
    />
  );
}

/** One after the other; rejects at the first that is refused, with its name. A repetition adds no file twice. */
export async function attachFiles(claimId: string, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const path = `/portal/api/buyer/claims/${encodeURIComponent(claimId)}/files`;
    try {
      await sendFile<Files>(`${path}${queryText({ name: file.name.toWellFormed().slice(-255) })}`, file);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const [fault] = error.faults;
      const detail = `${file.name}: ${fault === undefined ? error.message : `It ${fault.message}.`}`;
      throw new RequestError(error.status, { ...error.problem, detail, errors: [] });
    }
  }
}
