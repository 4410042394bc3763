// STUB: to be replaced by its page.
import type { ReactNode } from 'react';

import { Page } from '../../ui/page.tsx';

export function SimulationPage(): ReactNode {
  return <Page title="Simulation">Not here yet.</Page>;
}
