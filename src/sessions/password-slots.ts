// Limits how many passwords are checked at the same time in this process (decision 022).

/** Each check takes 19 MiB and one of Node's four worker threads, which DNS and files need as well, for about 40 ms. */
const MOST_AT_ONCE = 8;

export type PasswordSlots = {
  /** False, without running `check`, while all slots are taken. */
  run(check: () => Promise<unknown>): Promise<boolean>;
};

export function createPasswordSlots(): PasswordSlots {
  let taken = 0;
  return {
    async run(check) {
      if (taken >= MOST_AT_ONCE) return false;
      taken += 1;
      try {
        await check();
        return true;
      } finally {
        taken -= 1;
      }
    },
  };
}
