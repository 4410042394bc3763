// The name, logo and accent color of the marketplace, which come with the session and show on every page.
import { Box } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';

import type { PageBrand } from '../../src/marketplace/brand.schema.ts';

/** Until the session is read. */
let brand: Omit<PageBrand, 'shades'> & Partial<PageBrand> = { name: '', logo: null, helpEmail: null };
const watchers = new Set<() => void>();

export function setBrand(next: PageBrand): void {
  brand = next;
  for (const watcher of watchers) watcher();
}

export function useBrand(): typeof brand {
  return useSyncExternalStore(watch, () => brand);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** The logo, or without one the initial of the name on the accent color. Decorative: the name stands beside it. */
export function Mark(): ReactNode {
  const { name, logo } = useBrand();
  if (logo !== null) return <img src={logo} alt="" className="lm-logo" />;
  return (
    <Box aria-hidden="true" className="lm-mark">
      {[...name.trim()][0]?.toUpperCase() ?? ''}
    </Box>
  );
}
