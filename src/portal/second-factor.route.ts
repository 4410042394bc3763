// The second factor of a user of a partner or supplier, as the portal's routes set it up (contract 7.12).
import { partnerAuthor } from '../audit/request-author.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { SecondFactorOwners } from '../sessions/second-factor.route.ts';
import { beginUserFactor, confirmUserFactor, type UserFactorConfirmation } from '../users/user-factor.ts';

export const userFactors: SecondFactorOwners<Omit<UserFactorConfirmation, 'code'>> = {
  config: {},
  ownerOf(request) {
    const { user, ownerKey, session } = principalOf(request);
    if (user === undefined) return null;
    const kind = session?.kind === 'supplier' ? 'supplier' : 'buyer';
    return { userId: user.userId, email: user.email, kind, ownerKey, ...partnerAuthor(request, kind) };
  },
  begin: (tx, { userId }) => beginUserFactor(tx, userId),
  confirm: confirmUserFactor,
};
