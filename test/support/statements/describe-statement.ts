// Asks PostgreSQL which parameters and columns a statement has, without running it: Parse and Describe of the extended protocol.
import { EventEmitter } from 'node:events';

import type pg from 'pg';

export type DescribedStatement = {
  /** OIDs of the types, in the order of $1, $2, …. */
  readonly parameters: readonly number[];
  /** Empty where no rows are returned. */
  readonly columns: readonly DescribedColumn[];
};

export type DescribedColumn = {
  readonly name: string;
  /** OID of the type. */
  readonly type: number;
};

type Wire = EventEmitter & {
  parse(query: { readonly text: string; readonly name: string }): void;
  describe(what: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
};
type Described = { readonly dataTypeIDs: readonly number[] };
type Columns = { readonly fields: ReadonlyArray<{ readonly name: string; readonly dataTypeID: number }> };

/** Throws the server's error if it cannot parse the statement. `client` must not pipeline: the driver then refuses custom queries. */
export function describeStatement(client: pg.Client, text: string): Promise<DescribedStatement> {
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = [];
    let columns: readonly DescribedColumn[] = [];
    const noteParameters = ({ dataTypeIDs }: Described): void => {
      parameters = dataTypeIDs;
    };
    // The driver calls these like those of its own queries.
    const query = Object.assign(new EventEmitter(), {
      submit(wire: Wire): void {
        wire.once('parameterDescription', noteParameters);
        wire.parse({ name: '', text });
        wire.describe({ type: 'S', name: '' });
        wire.sync();
      },
      handleRowDescription({ fields }: Columns): void {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
      },
      handleError(error: Error, wire: Wire): void {
        wire.off('parameterDescription', noteParameters);
        reject(error);
      },
      handleReadyForQuery(): void {
        resolve({ parameters, columns });
      },
    });
    client.query(query as unknown as pg.Submittable);
  });
}
