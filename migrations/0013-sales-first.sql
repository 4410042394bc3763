-- In a lane sales go first, however many replays and copies wait there: one index probe for each purpose.
DROP INDEX send_job_of_lane;
CREATE INDEX send_job_of_lane ON send_job (buyer_key, channel, purpose, due_at);
