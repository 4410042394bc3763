// The one door to calendar arithmetic: the platform's Temporal where it exists, the polyfill on Node 24.
export { Temporal } from 'temporal-polyfill';
