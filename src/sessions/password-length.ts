// How long an operator's password may be, in characters.
export const PASSWORD_MIN = 12;
/** Nobody types more, and it bounds what is hashed. */
export const PASSWORD_MAX = 200;
