// The charts as pages use them: loaded when the first one is drawn.
import { lazy } from 'react';

export const Bars = lazy(async () => ({ default: (await import('./charts.tsx')).Bars }));
