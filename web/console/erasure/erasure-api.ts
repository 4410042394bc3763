// What the pages of erasure share: by what a person is looked for, and the limits of the service.

/** By what a person is looked for. */
export type Wish = { readonly id: string } | { readonly email: string } | { readonly phone: string };

/** What is asked for at once. */
export const LEADS_AT_ONCE = 20;
/** The word that is typed before anything is erased. */
export const CONFIRMATION = 'erase';
