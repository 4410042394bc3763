// Exports Temporal for calendar arithmetic: the platform's own where it exists, the polyfill on Node 24.
export { Temporal } from 'temporal-polyfill';
