// A list of files with sizes, each with a button that downloads it.
import { Button, Group, Stack, Text } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ClaimFiles } from '../../src/claims/claim-file.schema.ts';
import { formatBytes } from './formats.ts';
import { notifyFailure } from './notify.tsx';
import type { ApiResponse } from './request.ts';
import { saveFile } from './save-file.ts';
import { Time } from './zone.tsx';

type OneFile = ClaimFiles['data'][number];

const TYPE_WORDS: Readonly<Record<OneFile['type'], string>> = {
  'image/png': 'PNG image',
  'image/jpeg': 'JPEG image',
  'application/pdf': 'PDF',
  'audio/wav': 'WAV recording',
  'audio/mpeg': 'MP3 recording',
  'text/plain': 'Text',
};

export function FileList({
  files,
  download,
}: {
  readonly files: readonly OneFile[];
  /** Null if the reader may not. */
  readonly download: ((fileId: string) => Promise<ApiResponse<Blob>>) | null;
}): ReactNode {
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Files">
      {files.map((file) => (
        <Group key={file.id} component="li" gap="sm" justify="space-between">
          <div>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {file.name}
            </Text>
            <Text size="xs" c="dimmed">
              {TYPE_WORDS[file.type]}, {formatBytes(file.bytes)}, added <Time at={file.addedAt} kind="short" />
            </Text>
          </div>
          {download !== null && <Download file={file} download={download} />}
        </Group>
      ))}
    </Stack>
  );
}

function Download({
  file: { id, name },
  download,
}: {
  readonly file: OneFile;
  readonly download: (fileId: string) => Promise<ApiResponse<Blob>>;
}): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveFile(await download(id), name),
    onError: notifyFailure,
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<DownloadIcon aria-hidden="true" />}
      aria-label={`Download ${name}`}
      loading={isPending}
      onClick={() => mutate()}
    >
      Download
    </Button>
  );
}
