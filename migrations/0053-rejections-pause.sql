-- An offer whose partner rejects many leads of a day is paused until the day ends (contract 13.7; decision 077).
ALTER TABLE offer
  -- Since when and until when it is paused; both null while it is not.
  ADD COLUMN rejections_paused_at timestamptz,
  ADD COLUMN rejections_paused_until timestamptz,
  -- When an operator last lifted a pause: responses from before that do not pause the offer again.
  ADD COLUMN rejections_lifted_at timestamptz;
ALTER TABLE offer ADD CONSTRAINT offer_rejections_pause_whole
  CHECK ((rejections_paused_at IS NULL) = (rejections_paused_until IS NULL)) NOT VALID;

-- The share of rejections that pauses an offer, in the form of the marketplace file; members that are left out have their defaults.
ALTER TABLE marketplace ADD COLUMN rejections jsonb NOT NULL DEFAULT '{}';
