-- What a partner goes on reading of the consent behind a delivery whose lead is erased: that it was given, when, and by which wording. None of it
-- names the person. Null while the lead is not erased.
ALTER TABLE delivery ADD COLUMN erased_consent text;
