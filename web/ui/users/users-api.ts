// What the list of users and its dialogs need to know: who the users are, their roles, and the requests.
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { SentLink } from '../../../src/users/invitation.schema.ts';
import type { Column } from '../data-table.tsx';

/** An operator, or a user of a partner or supplier. `Role` is the type of what they may do: one role, or a list. */
export type User<Role> = {
  /** With which requests name the user. */
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly lastUsedAt: string | null;
  readonly isYou: boolean;
  readonly isDisabled: boolean;
};

export type InvitedUser<Role> = {
  readonly invitationId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly expiresAt: string;
};

export type NewUser<Role> = { readonly name: string; readonly email: string; readonly role: Role };

/** A change of one user that is confirmed first. */
export type UserAction = {
  /** The label of the button. */
  readonly label: string;
  /** The title of the dialog, a question. */
  readonly question: string;
  /** What follows from it. */
  readonly text: string;
  /** The label of the confirming button. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Notifies of its success as well. */
  readonly perform: () => Promise<void>;
};

export type UsersApi<Role> = {
  /** Of the query of the list, which is read again after each change. */
  readonly key: QueryKey;
  /** As titles and texts call one of them: `user`. */
  readonly word: string;
  /** `Invite a user`. */
  readonly inviteTitle: string;
  /** Shown where there are no users yet. */
  readonly emptyNote?: string;
  /** Explains the name in the invitation. */
  readonly nameNote?: string;
  readonly roles: {
    readonly title: string;
    /** Chosen first in an invitation. */
    readonly first: Role;
    readonly text: (role: Role) => string;
    readonly renderField: (role: Role, onChange: (role: Role) => void) => ReactNode;
  };
  /** Shown after those of every list. */
  readonly columns?: ReadonlyArray<Column<User<Role>>>;
  readonly list: (signal: AbortSignal) => Promise<{
    readonly data: ReadonlyArray<User<Role>>;
    readonly invitations: ReadonlyArray<InvitedUser<Role>>;
  }>;
  readonly invite: (user: NewUser<Role>) => Promise<SentLink>;
  readonly resend: (invitationId: string) => Promise<SentLink>;
  readonly withdraw: (invitationId: string) => Promise<unknown>;
  readonly setRole: (id: string, role: Role) => Promise<unknown>;
  /** Absent where the address is that of the invitation for good. */
  readonly setEmail?: (id: string, email: string) => Promise<unknown>;
  readonly sendPasswordLink: (id: string) => Promise<SentLink>;
  readonly resetSecondFactor: (id: string) => Promise<unknown>;
  /** Ends the access of a user, or gives it back. */
  readonly accessAction: (user: User<Role>) => UserAction;
};
