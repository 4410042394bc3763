import { describe, expect, it } from 'vitest';

import { migrationComplaints } from './migration-rules.ts';

describe('A migration', () => {
  it.each([
    ['DROP TABLE lead;'],
    ['ALTER TABLE entry DROP COLUMN entry_id;'],
    ['ALTER TABLE entry ADD COLUMN a text, DROP entry_id;'],
    ['ALTER TABLE lead RENAME COLUMN state TO status;'],
    ['ALTER TABLE lead RENAME TO submission;'],
    ['ALTER TABLE lead ALTER COLUMN score TYPE bigint;'],
    ['ALTER TABLE lead ALTER score SET NOT NULL;'],
    ['ALTER TABLE lead ALTER COLUMN score DROP DEFAULT;'],
    ['ALTER TABLE lead ADD COLUMN kind text NOT NULL;'],
    ['ALTER TABLE lead ADD kind text NOT NULL, ADD COLUMN other text;'],
    ['DROP INDEX lead_external_id;'],
    ['DO $$ BEGIN ALTER TABLE lead DROP COLUMN score; END $$;'],
    ['REVOKE SELECT ON lead FROM leadmarket_buyer;'],
  ])('that removes what the last release uses is rejected: %s', (sql) => {
    expect(migrationComplaints(sql)).not.toEqual([]);
    expect(migrationComplaints(`-- Unused since 1.4.0: nothing reads it.\n-- Short lock: some rows.\n${sql}`)).toEqual(
      [],
    );
  });

  it.each([
    ['CREATE INDEX lead_by_score ON lead (score);'],
    ['CREATE UNIQUE INDEX ON lead (score) WHERE score > 1;'],
    ['ALTER TABLE lead ADD CONSTRAINT score_known CHECK (score > 0);'],
    ['ALTER TABLE lead ADD FOREIGN KEY (supplier_key) REFERENCES supplier;'],
    ['ALTER TABLE lead ADD COLUMN token uuid DEFAULT gen_random_uuid();'],
    ['ALTER TABLE lead ADD COLUMN double bigint GENERATED ALWAYS AS (score * 2) STORED;'],
    ["UPDATE lead SET state = 'x';"],
    ['WITH old AS (SELECT 1) DELETE FROM lead WHERE score = 1;'],
    ['TRUNCATE lead;'],
    ['CREATE INDEX IF NOT EXISTS invoice_by_name ON invoice (seller_name);'],
    ['ALTER TABLE lead ADD CONSTRAINT c CHECK (score > 0) NOT VALID; ALTER TABLE lead VALIDATE CONSTRAINT c;'],
  ])('that locks a table for long is rejected: %s', (sql) => {
    expect(migrationComplaints(sql)).not.toEqual([]);
  });

  it.each([
    ['CREATE TABLE note (note_id uuid PRIMARY KEY, text text NOT NULL); CREATE INDEX note_by_text ON note (text);'],
    ['CREATE TABLE note (a text); ALTER TABLE note ADD CHECK (a <> $$x$$); UPDATE note SET a = 1;'],
    ['ALTER TABLE lead ADD COLUMN kind text, ADD COLUMN other integer;'],
    ["ALTER TABLE lead ADD COLUMN kind text NOT NULL DEFAULT 'x';"],
    ["ALTER TABLE lead ADD COLUMN kind text DEFAULT 'x' NOT NULL;"],
    ['ALTER TABLE lead ADD CONSTRAINT score_known CHECK (score > 0) NOT VALID;'],
    ['ALTER TABLE lead VALIDATE CONSTRAINT score_known;'],
    ['ALTER TABLE lead DROP CONSTRAINT score_known;'],
    ['ALTER TABLE lead ALTER COLUMN score DROP NOT NULL;'],
    [
      'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE lead SET score = 1; DROP TABLE x; END $$;',
    ],
    ["COMMENT ON TABLE lead IS 'to RENAME; or DROP TABLE';"],
    ['-- DROP TABLE lead;\nSELECT grant_buyer_rights();'],
    ['INSERT INTO marketplace (only_row) VALUES (true);'],
    ['ALTER TABLE operator ADD COLUMN role text NOT NULL DEFAULT 1, ADD CONSTRAINT known CHECK (role <> $$x$$);'],
    ['-- Short lock: few rows.\nALTER TABLE invoice ADD CONSTRAINT known CHECK (name <> $$x$$);'],
  ])('that only adds is accepted: %s', (sql) => {
    expect(migrationComplaints(sql)).toEqual([]);
  });
});
