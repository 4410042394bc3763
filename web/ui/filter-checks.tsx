// The table of an offer's filters beside the values of a lead.
import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';

import type { FilterCheck } from '../../src/claims/filter-check.schema.ts';
import { filterName, foundWords, wantedWords } from './filter-words.ts';
import { Status } from './status.tsx';

export function FilterChecks({ checks }: { readonly checks: readonly FilterCheck[] }): ReactNode {
  return (
    <Box style={{ overflowX: 'auto' }} role="region" tabIndex={0} aria-label="Filters of the offer and the lead">
      <Table className="lm-table" aria-label="Filters of the offer and the lead">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Filter</Table.Th>
            <Table.Th scope="col">Offer’s condition</Table.Th>
            <Table.Th scope="col">Lead’s value</Table.Th>
            <Table.Th scope="col">Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {checks.map((check) => (
            <Table.Tr key={check.filter}>
              <Table.Th scope="row" fw={500}>
                {filterName(check)}
              </Table.Th>
              <Table.Td data-label="Offer’s condition">{wantedWords(check)}</Table.Td>
              <Table.Td data-label="Lead’s value">{foundWords(check)}</Table.Td>
              <Table.Td data-label="Result">
                <Status tone={check.holds ? 'idle' : 'bad'}>{check.holds ? 'met' : 'failed'}</Status>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
