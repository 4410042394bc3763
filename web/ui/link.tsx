// Links between pages, with Mantine's look and the router's behavior.
import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';

import { leftAt } from './left-pages.ts';

type Target = {
  /** A path within the application, such as /deliveries/$deliveryId. */
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string | undefined>>;
};

export function PageLink({ to, params, search, children }: Target & { readonly children: ReactNode }): ReactNode {
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link
          {...props}
          to={to}
          {...(params === undefined ? {} : { params })}
          {...(search === undefined ? {} : { search })}
          {...(to === '.' ? { state: true } : {})}
        />
      )}
    >
      {children}
    </Anchor>
  );
}

export function ButtonLink({
  to,
  params,
  search,
  children,
  ...look
}: Target & ButtonProps & { readonly children: ReactNode }): ReactNode {
  return (
    <Button
      {...look}
      renderRoot={(props) => (
        <Link
          {...props}
          to={to}
          {...(params === undefined ? {} : { params })}
          {...(search === undefined ? {} : { search })}
          {...(to === '.' ? { state: true } : {})}
        />
      )}
    >
      {children}
    </Button>
  );
}

/** From a row's page back to its list, with the filters, search and page that the list had. */
export function ListLink({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  const { search, filters } = leftAt(to);
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} to={to} search={search} state={{ filters }} />}>
      {children}
    </Button>
  );
}

/** A link to write to an address. An address that the reader may not see comes as dots. */
export function EmailLink({ email }: { readonly email: string }): ReactNode {
  if (!email.includes('@')) return email;
  return (
    <Anchor inherit href={`mailto:${email}`}>
      <EmailText email={email} />
    </Anchor>
  );
}

/** An address that, where it has no room, breaks before the @ or after a dot, not at a letter. */
export function EmailText({ email }: { readonly email: string }): ReactNode {
  return email.split(/(?=@)|(?<=\.)/).map((part, index) => (
    // Parts of a text have no other key.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** A URL from outside: a link only if it is an http or https URL, else plain text. */
export function OutsideLink({ href }: { readonly href: string }): ReactNode {
  if (!/^https?:\/\//i.test(href)) return <span style={{ overflowWrap: 'anywhere' }}>{href}</span>;
  return (
    <Anchor inherit href={href} target="_blank" rel="noreferrer noopener nofollow" style={{ overflowWrap: 'anywhere' }}>
      {href}
    </Anchor>
  );
}
