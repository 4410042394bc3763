-- Invoices: what a partner was charged and credited in a calendar month of its own zone. They are made of the ledger's transfers and
-- move no money; what stands on an invoice that was issued never changes.

-- The last number given in each year. Whoever issues locks the row until the commit, so that no number is lost or given twice.
CREATE TABLE invoice_counter (
  year         integer PRIMARY KEY,
  last_number  bigint NOT NULL CHECK (last_number > 0)
);

-- One row per partner: its lock for everything about invoices, and how far its ledger is invoiced without a gap.
CREATE TABLE invoice_progress (
  buyer_key        text PRIMARY KEY,
  -- Every charge and credit up to this version of the partner's account stands on an invoice that is not void.
  settled_version  bigint NOT NULL DEFAULT 0 CHECK (settled_version >= 0)
);

CREATE TABLE invoice (
  invoice_id          uuid PRIMARY KEY,
  buyer_key           text NOT NULL,
  -- The month by its first day, in the zone that was the partner's when it was issued; the instants bound it, the last one outside.
  period              date NOT NULL CHECK (extract(day FROM period) = 1),
  time_zone           text NOT NULL,
  starts_at           timestamptz NOT NULL,
  ends_at             timestamptz NOT NULL,
  -- As they were called when it was issued.
  seller_name         text NOT NULL,
  buyer_name          text NOT NULL,
  currency            text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  status              text NOT NULL CONSTRAINT invoice_status_known CHECK (status IN ('draft', 'issued', 'paid', 'overdue', 'void')),
  is_void             boolean NOT NULL GENERATED ALWAYS AS (status = 'void') STORED,
  -- A draft has none: a number is given in the transaction that issues.
  number              text UNIQUE CHECK (number ~ '^INV-\d{4}-\d{6,}$'),
  subtotal_cents      bigint NOT NULL DEFAULT 0 CHECK (subtotal_cents >= 0),
  credits_cents       bigint NOT NULL DEFAULT 0 CHECK (credits_cents >= 0),
  -- Below 0 where more was credited than charged: nothing is due then, and the rest stays in the partner's balance.
  total_cents         bigint NOT NULL DEFAULT 0,
  -- What of the total was covered by money that the partner had left, and by payments of this very invoice.
  from_balance_cents  bigint NOT NULL DEFAULT 0 CHECK (from_balance_cents >= 0),
  paid_cents          bigint NOT NULL DEFAULT 0 CHECK (paid_cents >= 0),
  amount_due_cents    bigint NOT NULL DEFAULT 0 CHECK (amount_due_cents >= 0),
  created_at          timestamptz NOT NULL,
  issued_at           timestamptz,
  due_at              timestamptz,
  paid_at             timestamptz,
  voided_at           timestamptz,
  void_note           text,
  UNIQUE (invoice_id, is_void),
  CONSTRAINT invoice_period_whole CHECK (starts_at < ends_at),
  CONSTRAINT invoice_total_right CHECK (total_cents = subtotal_cents - credits_cents),
  CONSTRAINT invoice_due_right CHECK (
    amount_due_cents = CASE WHEN status = 'void' THEN 0 ELSE greatest(total_cents, 0) - from_balance_cents - paid_cents END),
  CONSTRAINT invoice_issued_whole CHECK (
    (status = 'draft') = (number IS NULL) AND (number IS NULL) = (issued_at IS NULL) AND (number IS NULL) = (due_at IS NULL)),
  CONSTRAINT invoice_draft_empty CHECK (status <> 'draft' OR (subtotal_cents = 0 AND credits_cents = 0 AND amount_due_cents = 0)),
  CONSTRAINT invoice_paid_covered CHECK (
    (status <> 'paid' OR (amount_due_cents = 0 AND paid_at IS NOT NULL))
    AND (status NOT IN ('issued', 'overdue') OR (amount_due_cents > 0 AND paid_at IS NULL))),
  CONSTRAINT invoice_void_whole CHECK (
    (status = 'void') = (voided_at IS NOT NULL) AND (voided_at IS NULL) = (void_note IS NULL))
);
CREATE UNIQUE INDEX invoice_once_per_period ON invoice (buyer_key, period) WHERE status <> 'void';
CREATE INDEX invoice_of_buyer ON invoice (buyer_key, issued_at DESC, invoice_id DESC);
CREATE INDEX invoice_by_time ON invoice (issued_at DESC, invoice_id DESC);
CREATE INDEX invoice_to_be_paid ON invoice (due_at) WHERE status = 'issued';

-- What an invoice is made of. The foreign key carries `is_void` along: voiding an invoice frees its transfers in the same statement.
-- Transfers have none: they are never deleted, lines are made from them alone, and it would lock every one of them.
CREATE TABLE invoice_line (
  invoice_id       uuid NOT NULL,
  transfer_id      uuid NOT NULL,
  is_void          boolean NOT NULL DEFAULT false,
  type             text NOT NULL CONSTRAINT invoice_line_type_known CHECK (type IN ('charge', 'credit')),
  -- The entry's place in the partner's ledger.
  account_version  bigint NOT NULL,
  amount_cents     bigint NOT NULL CHECK (amount_cents > 0),
  PRIMARY KEY (invoice_id, account_version),
  FOREIGN KEY (invoice_id, is_void) REFERENCES invoice (invoice_id, is_void) ON UPDATE CASCADE
);
CREATE UNIQUE INDEX invoice_line_once ON invoice_line (transfer_id) WHERE NOT is_void;
CREATE INDEX invoice_line_credits ON invoice_line (invoice_id, account_version) WHERE type = 'credit';

-- The charges as an invoice shows them: so many of one kind at one price on one day of the period; day 0 is before it.
CREATE TABLE invoice_item (
  invoice_id    uuid NOT NULL REFERENCES invoice,
  day           integer NOT NULL CHECK (day BETWEEN 0 AND 31),
  what          text NOT NULL,
  unit_cents    bigint NOT NULL CHECK (unit_cents > 0),
  quantity      bigint NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (invoice_id, day, what, unit_cents)
);

CREATE INDEX transfer_of_invoice ON transfer (invoice_id) WHERE invoice_id IS NOT NULL;

-- Once issued, an invoice can be paid, fall due and become void; nothing else of it changes, and what is void stays so.
CREATE FUNCTION keep_issued_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'draft' THEN RETURN NEW; END IF;
  IF OLD.status = 'void' OR NEW.status = 'draft'
    OR (OLD.invoice_id, OLD.buyer_key, OLD.period, OLD.time_zone, OLD.starts_at, OLD.ends_at, OLD.seller_name, OLD.buyer_name,
        OLD.currency, OLD.number, OLD.subtotal_cents, OLD.credits_cents, OLD.total_cents, OLD.created_at, OLD.issued_at, OLD.due_at)
      IS DISTINCT FROM
       (NEW.invoice_id, NEW.buyer_key, NEW.period, NEW.time_zone, NEW.starts_at, NEW.ends_at, NEW.seller_name, NEW.buyer_name,
        NEW.currency, NEW.number, NEW.subtotal_cents, NEW.credits_cents, NEW.total_cents, NEW.created_at, NEW.issued_at, NEW.due_at)
  THEN
    RAISE EXCEPTION 'an issued invoice is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

-- A line follows its invoice into being void, and changes in no other way.
CREATE FUNCTION keep_invoice_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.is_void OR NOT NEW.is_void
    OR (OLD.invoice_id, OLD.transfer_id, OLD.type, OLD.account_version, OLD.amount_cents)
      IS DISTINCT FROM (NEW.invoice_id, NEW.transfer_id, NEW.type, NEW.account_version, NEW.amount_cents)
  THEN
    RAISE EXCEPTION 'invoice_line is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION refuse_addition_to_issued() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added JOIN invoice USING (invoice_id) WHERE status <> 'draft') THEN
    RAISE EXCEPTION 'nothing is added to an issued invoice' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER invoice_keep_issued BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION keep_issued_invoice();
CREATE TRIGGER invoice_append_only BEFORE DELETE OR TRUNCATE ON invoice FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_line_keep BEFORE UPDATE ON invoice_line FOR EACH ROW EXECUTE FUNCTION keep_invoice_line();
CREATE TRIGGER invoice_line_append_only BEFORE DELETE OR TRUNCATE ON invoice_line
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_line_draft_only AFTER INSERT ON invoice_line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_addition_to_issued();
CREATE TRIGGER invoice_item_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice_item
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_item_draft_only AFTER INSERT ON invoice_item REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_addition_to_issued();
