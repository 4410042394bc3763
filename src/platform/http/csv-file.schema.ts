// The query member of CSV files for a person's spreadsheet (contract 1.5).
import { Type } from 'typebox';

export const csvFileQuery = {
  for: Type.Optional(
    Type.Enum(['excel'], {
      description: 'With `excel` the file begins with a byte order mark, by which Excel reads it as UTF-8.',
    }),
  ),
};
