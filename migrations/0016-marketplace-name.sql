-- Who sells, for the invoices. Those already issued keep the name that they were issued under.
ALTER TABLE marketplace ADD COLUMN name text NOT NULL DEFAULT 'Lead Marketplace'
  CONSTRAINT marketplace_name_length CHECK (char_length(name) BETWEEN 1 AND 100);
