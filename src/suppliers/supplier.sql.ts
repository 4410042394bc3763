// The statements on supplier.
import { statement } from '../platform/database/database.ts';

export const readSuppliersSql = statement(
  'suppliers.read',
  `SELECT supplier_key AS "supplierKey", name, status, field_mapping AS "fieldMapping", callback, rate_limit AS "rateLimit"
     FROM supplier ORDER BY supplier_key`,
);

export const lockSupplierSql = statement(
  'suppliers.lock',
  `SELECT supplier_key AS "supplierKey", name, status, field_mapping AS "fieldMapping", callback, rate_limit AS "rateLimit"
     FROM supplier WHERE supplier_key = $1 FOR UPDATE`,
);

export const saveSuppliersSql = statement(
  'suppliers.save',
  `INSERT INTO supplier (supplier_key, name, status, field_mapping, callback, rate_limit, created_at, updated_at)
   SELECT supplier_key, name, status, field_mapping::jsonb, callback::jsonb, rate_limit::jsonb, $7, $7
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       AS saved (supplier_key, name, status, field_mapping, callback, rate_limit)
   ON CONFLICT (supplier_key) DO UPDATE
     SET name = EXCLUDED.name, status = EXCLUDED.status, field_mapping = EXCLUDED.field_mapping,
         callback = EXCLUDED.callback, rate_limit = EXCLUDED.rate_limit, updated_at = EXCLUDED.updated_at`,
);
