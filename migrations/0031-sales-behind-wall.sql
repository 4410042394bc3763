-- The table of persons that were sold comes behind the second wall (decision 017, 036): a partner's request finds in it what its own
-- deliveries left there, which is all that the evidence of a claim asks for. Each statement locks the table for an instant, and no row is read.
ALTER TABLE person_sale ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_sale FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON person_sale USING ((SELECT is_service()) OR (
  EXISTS (SELECT FROM delivery d WHERE d.delivery_id = person_sale.delivery_id AND d.buyer_key = (SELECT tenant()))));
