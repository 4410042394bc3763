// The charts as pages use them: loaded when the first one is drawn.
import { lazyPart } from './lazy-part.tsx';

export const Bars = lazyPart(async () => (await import('./charts.tsx')).Bars, 'Loading the chart');
