-- The tables of the plain program: what the path of a lead needs, with the keys and indexes that keep it correct.

CREATE TABLE supplier (
  supplier_key text PRIMARY KEY,
  api_key_hash bytea NOT NULL UNIQUE
);

CREATE TABLE buyer (
  buyer_key text PRIMARY KEY,
  webhook_url text NOT NULL,
  signing_secret text NOT NULL
);

CREATE TABLE offer (
  offer_key text PRIMARY KEY,
  buyer_key text NOT NULL REFERENCES buyer,
  price_cents integer NOT NULL CHECK (price_cents > 0),
  daily_cap integer NOT NULL,
  states text[] NOT NULL,
  debt_min_cents integer NOT NULL,
  debt_max_cents integer NOT NULL
);

CREATE TABLE cap_counter (
  offer_key text REFERENCES offer,
  day date,
  used integer NOT NULL,
  PRIMARY KEY (offer_key, day)
) WITH (fillfactor = 50);

CREATE TABLE lead (
  lead_id uuid PRIMARY KEY DEFAULT uuidv7(),
  supplier_key text NOT NULL REFERENCES supplier,
  external_id text,
  status text NOT NULL DEFAULT 'received' CHECK (status IN ('received', 'routed', 'duplicate', 'no_buyer')),
  score smallint NOT NULL,
  fields text NOT NULL,
  raw_body text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  UNIQUE (supplier_key, external_id)
) WITH (fillfactor = 80);

-- Who was sold, by keyed hash of phone and email.
CREATE TABLE person (
  person_hash bytea PRIMARY KEY,
  lead_id uuid NOT NULL REFERENCES lead,
  sold_at timestamptz NOT NULL
);

CREATE TABLE delivery (
  delivery_id uuid PRIMARY KEY DEFAULT uuidv7(),
  lead_id uuid NOT NULL UNIQUE REFERENCES lead,
  buyer_key text NOT NULL REFERENCES buyer,
  offer_key text NOT NULL REFERENCES offer,
  price_cents integer NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'confirmed', 'failed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX delivery_of_buyer ON delivery (buyer_key, created_at DESC);

CREATE TABLE account (
  account_key text PRIMARY KEY,
  balance_cents bigint NOT NULL DEFAULT 0,
  held_cents bigint NOT NULL DEFAULT 0 CHECK (held_cents >= 0),
  version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE transfer (
  transfer_id uuid PRIMARY KEY DEFAULT uuidv7(),
  delivery_id uuid NOT NULL UNIQUE REFERENCES delivery,
  from_account text NOT NULL REFERENCES account,
  to_account text NOT NULL REFERENCES account,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE entry (
  account_key text REFERENCES account,
  account_version bigint,
  transfer_id uuid NOT NULL REFERENCES transfer,
  amount_cents integer NOT NULL,
  balance_after_cents bigint NOT NULL,
  PRIMARY KEY (account_key, account_version)
);
