// Starts an application: theme, notifications, and the query client with its retry rules.
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './base.css';

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';

import { useBrand } from './brand.tsx';
import { countOthers, whenBack } from './connection.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { RequestError } from './request.ts';
import { cssVariables, themeOf } from './theme.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // Retries only what got no response: a refused request would be refused again, except that another release may not know it.
      retry: (failures, error) =>
        error instanceof RequestError &&
        ((failures < 2 && (error.status === 0 || error.status >= 502)) || (failures < 3 && (countOthers() ?? 0) > 0)),
      refetchOnWindowFocus: true,
      // The browser's online state says nothing about the service.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// Refetches everything after an outage, but the session only if it is not known yet.
whenBack(() => {
  void queries.invalidateQueries({
    predicate: ({ queryKey, state }) => queryKey[0] !== 'session' || state.data === undefined,
  });
});

function Themed({ children }: { readonly children: ReactNode }): ReactNode {
  const { shades } = useBrand();
  const theme = useMemo(() => themeOf(shades), [shades]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

export function start(application: ReactNode): void {
  const root = document.querySelector('#root');
  if (root === null) throw new Error('the page has no element #root');
  createRoot(root).render(
    <StrictMode>
      <Themed>
        <QueryClientProvider client={queries}>
          <ErrorBoundary>
            <Notifications position="bottom-right" />
            {application}
          </ErrorBoundary>
        </QueryClientProvider>
      </Themed>
    </StrictMode>,
  );
}
