-- Until when a return could be filed as the policy stood at the sale: part of the message of a delivery, which never changes. Null for
-- deliveries of before.
ALTER TABLE delivery ADD COLUMN return_until timestamptz;
