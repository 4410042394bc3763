-- What partners read often: statistics over a year, and the offers behind them.

-- With all that a sum over days needs: the rows of one partner lie scattered over the whole table, a year of them on thousands of pages.
DROP INDEX delivery_count_of_buyer;
CREATE INDEX delivery_count_of_buyer ON delivery_count (buyer_key, day) INCLUDE (status, event_type, deliveries, payout_cents);

CREATE INDEX offer_of_buyer ON offer (buyer_key);
