// SQL on the table supplier.
import { statement } from '../platform/database/database.ts';
import type { SupplierRow } from './supplier-form.rules.ts';

const COLUMNS = `supplier_key AS "supplierKey", name, status, field_mapping AS "fieldMapping", callback, rate_limit AS "rateLimit",
     vertical, verticals, time_zone AS "timeZone", pay`;

export const readSuppliersSql = statement<void, SupplierRow>(
  'suppliers.read',
  `SELECT ${COLUMNS} FROM supplier ORDER BY supplier_key`,
);

/** The first $limit suppliers after $after. */
export const pageOfSuppliersSql = statement<{ readonly after: string; readonly limit: number }, SupplierRow>(
  'suppliers.page',
  `SELECT ${COLUMNS} FROM supplier WHERE supplier_key > $after ORDER BY supplier_key LIMIT $limit`,
);

export const readSupplierSql = statement<{ readonly supplierKey: string }, SupplierRow>(
  'suppliers.readOne',
  `SELECT ${COLUMNS} FROM supplier WHERE supplier_key = $supplierKey`,
);

export const lockSupplierSql = statement<{ readonly supplierKey: string }, SupplierRow>(
  'suppliers.lock',
  `SELECT ${COLUMNS} FROM supplier WHERE supplier_key = $supplierKey FOR UPDATE`,
);

export const saveSuppliersSql = statement<{
  readonly supplierKeys: readonly string[];
  readonly names: readonly string[];
  readonly statuses: readonly string[];
  readonly fieldMappings: readonly string[];
  readonly callbacks: ReadonlyArray<string | null>;
  readonly rateLimits: readonly string[];
  readonly timeZones: readonly string[];
  readonly pays: ReadonlyArray<string | null>;
  readonly verticals: ReadonlyArray<string | null>;
  /** JSON arrays. */
  readonly otherVerticals: readonly string[];
  readonly now: Date;
}>(
  'suppliers.save',
  `INSERT INTO supplier (supplier_key, name, status, field_mapping, callback, rate_limit, time_zone, pay, vertical, verticals, created_at, updated_at)
   SELECT supplier_key, name, status, field_mapping::jsonb, callback::jsonb, rate_limit::jsonb, time_zone, pay::jsonb, vertical,
          ARRAY(SELECT jsonb_array_elements_text(other_verticals::jsonb)), $now, $now
     FROM unnest($supplierKeys::text[], $names::text[], $statuses::text[], $fieldMappings::text[], $callbacks::text[], $rateLimits::text[],
                 $timeZones::text[], $pays::text[], $verticals::text[], $otherVerticals::text[])
       AS saved (supplier_key, name, status, field_mapping, callback, rate_limit, time_zone, pay, vertical, other_verticals)
   ON CONFLICT (supplier_key) DO UPDATE
     SET name = EXCLUDED.name, status = EXCLUDED.status, field_mapping = EXCLUDED.field_mapping,
         callback = EXCLUDED.callback, rate_limit = EXCLUDED.rate_limit,
         time_zone = EXCLUDED.time_zone, pay = EXCLUDED.pay, vertical = EXCLUDED.vertical, verticals = EXCLUDED.verticals,
         updated_at = EXCLUDED.updated_at`,
);

// The search covers key and name, in any case; `strpos` needs no escaping of patterns.
type SupplierFilter = { readonly search: string | null; readonly status: string | null };

const FILTER = `($search::text IS NULL OR strpos(supplier_key, lower($search)) > 0 OR strpos(lower(name), lower($search)) > 0)
      AND ($status::text IS NULL OR status = $status)`;

export const countSuppliersSql = statement<SupplierFilter, { total: number }>(
  'suppliers.countWanted',
  `SELECT count(*) AS total FROM supplier WHERE ${FILTER}`,
);

/** $pageSize: null for all. */
export const listSuppliersSql = statement<
  SupplierFilter & { readonly pageSize: number | null; readonly offset: number },
  SupplierRow
>(
  'suppliers.list',
  `SELECT ${COLUMNS} FROM supplier WHERE ${FILTER} ORDER BY lower(name), supplier_key LIMIT $pageSize OFFSET $offset`,
);
