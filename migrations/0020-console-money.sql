-- What the operator reads page by page: claims that wait for a decision, invoices of a month or in a status, and the audit trail by who
-- did what to what. The tables grow for years; each page is an index range.
CREATE INDEX claim_to_decide ON claim (decision_due_at, claim_id) WHERE status IN ('submitted', 'under_review');

CREATE INDEX invoice_of_period ON invoice (period, issued_at DESC, invoice_id DESC);
CREATE INDEX invoice_by_status ON invoice (status, issued_at DESC, invoice_id DESC);

CREATE INDEX audit_event_by_actor ON audit_event (actor_name, audit_id DESC);
CREATE INDEX audit_event_by_kind_of_actor ON audit_event (actor_type, audit_id DESC);
CREATE INDEX audit_event_by_action ON audit_event (action, audit_id DESC);
CREATE INDEX audit_event_by_target ON audit_event (target, audit_id DESC);
CREATE INDEX audit_event_of_supplier ON audit_event (supplier_key, audit_id DESC) WHERE supplier_key IS NOT NULL;
