-- Submissions that were refused and erased kept the external id under which they came, which may be the person's e-mail address; nothing
-- is left to find it by. Rows of that kind are read by nobody else at the same time, so that changing them makes nobody wait.
UPDATE lead SET external_id = 'erased:' || lead_id
WHERE erased_at IS NOT NULL AND NOT is_accepted AND external_id IS NOT NULL AND external_id NOT LIKE 'erased:%';
