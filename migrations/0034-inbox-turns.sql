-- Leads are claimed in turn over suppliers. The text is empty for leads that an older release has queued: they count as one supplier.
ALTER TABLE routing_inbox ADD COLUMN supplier_key text NOT NULL DEFAULT '';

-- Short lock: the inbox holds only the leads that wait for a decision.
CREATE INDEX routing_inbox_by_supplier ON routing_inbox (supplier_key, due_at, lead_id);
