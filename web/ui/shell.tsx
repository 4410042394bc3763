// The frame around all pages: header, navigation, color scheme, account menu.
import {
  AppShell,
  Box,
  Burger,
  Group,
  Menu,
  NavLink,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDownIcon } from '@radix-ui/react-icons';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';

import { Mark, useBrand } from './brand.tsx';
import { useConnection } from './connection.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { useListKeys } from './list-keys.ts';
import { useIsLive } from './live.tsx';
import { Outage } from './outage.tsx';
import { useShortcutSetting } from './shortcuts.ts';
import { Loading } from './states.tsx';

export type NavItem = {
  readonly to: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** How many things wait there for the user; 0 shows nothing. `unit` for screen readers: `claims to review`. */
  readonly waiting?: { readonly count: number; readonly unit: string } | undefined;
};

/** Entries under a heading of the menu; without a title they stand at its top. */
export type NavGroup = { readonly title?: string; readonly items: readonly NavItem[] };

export function Shell({
  product,
  who,
  nav,
  hasApi = false,
  search,
  onSignOut,
}: {
  /** Which of its applications this is. */
  readonly product: string;
  /** The name of the partner, supplier or operator. */
  readonly who: string;
  readonly nav: readonly NavGroup[];
  /** Whether its users have the public API, whose documentation is then in the account menu. */
  readonly hasApi?: boolean;
  /** The search over everything, in the header. */
  readonly search?: ReactNode;
  readonly onSignOut: () => void;
}): ReactNode {
  const { name } = useBrand();
  const { isReachable } = useConnection();
  useListKeys();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);
  // The current entry is the one with the longest matching path.
  const here = nav
    .flatMap(({ items }) => items)
    .filter(({ to }) => isWithin(to, path))
    .toSorted((one, other) => other.to.length - one.to.length)[0];
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      withBorder
    >
      <a className="skip-link" href="#main">
        Skip to main content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close menu' : 'Open menu'}
              aria-expanded={isOpen}
            />
            <Mark />
            <Text fw={650} truncate>
              {name}
            </Text>
            <Text c="dimmed" size="sm" visibleFrom="xs" style={{ whiteSpace: 'nowrap' }}>
              {product}
            </Text>
          </Group>
          <Group gap="md" wrap="nowrap">
            {search}
            <LiveNote />
            <Account who={who} hasApi={hasApi} onSignOut={onSignOut} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {/* On a low screen the menu scrolls, and the page does not. */}
        <Stack gap="md" style={{ overflowY: 'auto' }}>
          {nav.map(({ title, items }) => (
            <Stack key={title ?? ''} gap={2} role="group" aria-label={title}>
              {title !== undefined && (
                <Text size="xs" fw={600} c="dimmed" px="sm" aria-hidden="true">
                  {title}
                </Text>
              )}
              {items.map((item) => (
                <Entry key={item.to} item={item} isHere={item === here} />
              ))}
            </Stack>
          ))}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} style={{ minWidth: 0, outline: 'none' }}>
        <Box maw={1280} mx="auto">
          <Outage />
          <Box data-stale={isReachable ? undefined : true}>
            <ErrorBoundary of={path}>
              <Suspense fallback={<Loading />}>
                <Outlet />
              </Suspense>
            </ErrorBoundary>
          </Box>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

const EXACT = { exact: true } as const;

function isWithin(to: string, path: string): boolean {
  return to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
}

function Entry({ item, isHere }: { readonly item: NavItem; readonly isHere: boolean }): ReactNode {
  const { to, label, icon, waiting } = item;
  const { isOutdated } = useConnection();
  return (
    <NavLink
      label={label}
      leftSection={icon}
      rightSection={waiting === undefined || waiting.count === 0 ? undefined : <Waiting {...waiting} />}
      py={4}
      active={isHere}
      variant="light"
      aria-current={isHere ? 'page' : undefined}
      // By default the router marks every entry that is a prefix of the path.
      renderRoot={(props) => <Link {...props} to={to} activeOptions={EXACT} reloadDocument={isOutdated} />}
    />
  );
}

/** A higher count would not fit, and says no more. */
const SHOWN_MAX = 99;

function Waiting({ count, unit }: { readonly count: number; readonly unit: string }): ReactNode {
  return (
    <Text component="span" size="xs" fw={600} className="lm-count" role="img" aria-label={`${count} ${unit}`}>
      {count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
    </Text>
  );
}

function LiveNote(): ReactNode {
  const isLive = useIsLive();
  const { isReachable } = useConnection();
  return (
    <Text size="xs" c="dimmed" visibleFrom="xs" title="While this says Live, new entries appear automatically">
      {isLive ? 'Live' : isReachable ? 'Connecting …' : 'Not connected'}
    </Text>
  );
}

function Account({
  who,
  hasApi,
  onSignOut,
}: {
  readonly who: string;
  readonly hasApi: boolean;
  readonly onSignOut: () => void;
}): ReactNode {
  const { helpEmail } = useBrand();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [hasShortcuts, setShortcuts] = useShortcutSetting();
  const schemes = [
    ['auto', 'System theme'],
    ['light', 'Light theme'],
    ['dark', 'Dark theme'],
  ] as const;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <UnstyledButton aria-label={`${who}: account and theme`}>
          <Group gap={6} wrap="nowrap">
            <Text size="sm" fw={500} truncate maw={180}>
              {who}
            </Text>
            <ChevronDownIcon aria-hidden="true" />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(schemes.find(([scheme]) => scheme === value)?.[0] ?? 'auto')}
        >
          {schemes.map(([scheme, label]) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.CheckboxItem checked={hasShortcuts} onChange={setShortcuts}>
          Keyboard shortcuts
        </Menu.CheckboxItem>
        {hasApi && (
          <Menu.Item component="a" href="/docs/" target="_blank">
            API documentation
          </Menu.Item>
        )}
        {hasApi && helpEmail !== null && (
          <Menu.Item component="a" href={`mailto:${helpEmail}`}>
            Ask for help: {helpEmail}
          </Menu.Item>
        )}
        <Menu.Item onClick={onSignOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The page for an unknown address. */
export function NoPage(): ReactNode {
  return (
    <Stack gap="xs" py="xl" align="center">
      <Text component="h1" fz="1.4rem" fw={650} m={0}>
        Page not found
      </Text>
      <Text c="dimmed">The address may be outdated or mistyped. Choose a page from the menu.</Text>
    </Stack>
  );
}
