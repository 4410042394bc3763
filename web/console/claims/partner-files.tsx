// The files that the partner attached to a claim.
import { Box, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { FileList } from '../../ui/file-list.tsx';
import { Failure } from '../../ui/states.tsx';
import { useMay } from '../allowed.tsx';
import { download, request } from '../console-api.ts';

export function PartnerFiles({ claimId }: { readonly claimId: string }): ReactNode {
  const mayRead = useMay('persons');
  const query = useQuery({
    queryKey: ['claims', 'files', claimId],
    queryFn: ({ signal }) => request('GET /console/api/claims/:claimId/files', { params: { claimId }, signal }),
  });
  if (query.error !== null) return <Failure error={query.error} title="The files could not be loaded" />;
  const files = query.data?.data ?? [];
  if (files.length === 0) return null;
  return (
    <Box>
      <Title order={3}>Files</Title>
      <FileList
        files={files}
        download={
          mayRead
            ? (fileId) => download('GET /console/api/claims/:claimId/files/:fileId', { params: { claimId, fileId } })
            : null
        }
      />
      {!mayRead && (
        <Text size="xs" c="dimmed">
          Files have personal data, which your role does not show.
        </Text>
      )}
    </Box>
  );
}
