// Lists migrations whose text was mended after a release, with the checksum that databases have of the first text (decision 094).

export type MendedMigration = {
  readonly name: string;
  /** SHA-256 of the text that was released first. */
  readonly first: string;
  /** SHA-256 of today's text. The exception holds for this text only: another change of the file is refused as usual. */
  readonly mended: string;
  /** Why the migration could not stay as it was, and why it changes nothing where its first text has run. */
  readonly reason: string;
};

const MENDED: readonly MendedMigration[] = [
  {
    name: '0061-claim-files.sql',
    first: '2e44e5df451ef9f7421ca84cd8f45b442ccd79b76737c297873ff737f3f2e11a',
    mended: 'a4aa754c04d8ea4dba1271584e3f242711fe2d7d63812f74d79fca9c567ec1e4',
    reason:
      'PostgreSQL 15 knows no STORAGE in CREATE TABLE, so no process started there. The storage of the column is now set by ALTER TABLE: the resulting table is the same.',
  },
];

export type Checksums = {
  /** What a database records. Of a mended migration it is the first text's: programs of earlier releases know no other. */
  readonly checksum: string;
  /** All that a database or a backup may have recorded. */
  readonly accepted: readonly string[];
};

/** `ofFile` is the SHA-256 of the file as it is. */
export function checksumsOf(name: string, ofFile: string, mended: readonly MendedMigration[] = MENDED): Checksums {
  const exception = mended.find((one) => one.name === name && one.mended === ofFile);
  return exception === undefined
    ? { checksum: ofFile, accepted: [ofFile] }
    : { checksum: exception.first, accepted: [exception.first, ofFile] };
}
