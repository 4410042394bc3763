// The settings of a partner as the marketplace file last stated them.
import type { BuyerSettings } from './buyer.ts';

/** Only what a file states: a setting that it left out is no member. */
export type FileSettings = { readonly [Name in keyof BuyerSettings]?: BuyerSettings[Name] };
