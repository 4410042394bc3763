// Holds the parts of the configuration that requests and workers use, and reloads them when its version changes.
import { readBuyers } from '../buyers/read-buyers.ts';
import { verticalsOf } from '../leads/supplier-verticals.rules.ts';
import { type ConfigWatch, keepCurrent } from '../marketplace/config-watch.ts';
import { brandOf, type MarketplaceSettings } from '../marketplace/settings.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { readVerticals } from '../marketplace/stored-verticals.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import type { Database } from '../platform/database/database.ts';
import { compileFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import type { PartnerKind } from '../users/user.rules.ts';

export function holdCurrentConfig(watch: ConfigWatch, database: Database) {
  return {
    settings: keepCurrent(watch, () => database.tx(readSettings)),
    buyers: keepCurrent(watch, () => database.tx(readBuyers)),
    supply: keepCurrent(watch, async () => {
      // In one snapshot: a supplier's verticals are written together with it.
      const { configs, verticals } = await database.tx(
        async (tx) => ({ configs: await readSuppliers(tx), verticals: await readVerticals(tx) }),
        { snapshot: true },
      );
      const suppliers = new Map([...configs].map(([key, config]) => [key, supplierWith(config, verticals)]));
      return { suppliers, verticals };
    }),
  };
}

/** Prepared at the first use, so that a mapping or list that cannot be prepared fails for its supplier alone. */
function supplierWith(config: SupplierConfig, all: ReadonlyMap<string, Vertical>) {
  const mapping = once(() => compileFieldMapping(config.fieldMapping));
  const verticals = once(() => verticalsOf(config, all));
  return {
    config,
    get mapping() {
      return mapping();
    },
    get verticals() {
      return verticals();
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Functions that read the configuration at each call. */
export function currentOf(currentConfig: ReturnType<typeof holdCurrentConfig>) {
  const settings = (): MarketplaceSettings => currentConfig.settings.current().settings;
  const supplierOf = (key: string) => currentConfig.supply.current().suppliers.get(key) ?? null;
  const buyerOf = (key: string) => currentConfig.buyers.current().get(key) ?? null;
  return {
    ...{ supplierOf, buyerOf },
    /** Null for a partner or supplier whose users cannot sign in. */
    accountNameOf(kind: PartnerKind, key: string): string | null {
      if (kind === 'supplier') return supplierOf(key)?.config.name ?? null;
      const buyer = buyerOf(key);
      return buyer === null || buyer.status === 'suspended' ? null : buyer.name;
    },
    verticals: () => currentConfig.supply.current().verticals,
    scoreWeights: () => settings().scoreWeights,
    regions: () => settings().regions,
    currency: () => settings().currency,
    timeZone: () => settings().timeZone,
    brand: () => brandOf(settings()),
    publicUrl: () => settings().notices.publicUrl,
  };
}
