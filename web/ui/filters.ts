// Filters of a page, kept in the query of the URL. Personal data is kept in the state of the browser's history entry instead, which is never
// sent and survives Back and a reload.
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** One query parameter: text to value and back. Invalid text reads as the default; the default is not written. */
export type Filter<Value> = {
  readonly read: (text: string | undefined) => Value;
  readonly write: (value: Value) => string;
  /** Never written to the URL. Links may contain it if it is not personal data, such as an id. */
  readonly isPrivate?: true;
  /** Says where in the list to begin: goes back to the beginning when another filter changes. */
  readonly isPosition?: true;
};
export type Filters = Readonly<
  Record<
    string,
    Pick<Filter<unknown>, 'read' | 'isPrivate' | 'isPosition'> & { readonly write: (value: never) => string }
  >
>;
type Texts = Readonly<Record<string, string>>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Values of the private filters. */
    readonly filters?: Texts;
  }
}
export type ValuesOf<Of extends Filters> = { [Name in keyof Of]: ReturnType<Of[Name]['read']> };

/** Free text; '' by default. */
export const textFilter: Filter<string> = { read: (text) => text ?? '', write: (value) => value };

/** Free text that may be personal data; '' by default. */
export const privateTextFilter: Filter<string> = { ...textFilter, isPrivate: true };

/** A whole number from 1; 1 by default. */
export const pageFilter: Filter<number> = {
  read: (text) => (text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1),
  write: (value) => (value === 1 ? '' : String(value)),
  isPosition: true,
};

/** Where a page of a list without page numbers begins, as the service returned it; '' for the first. */
export const cursorFilter: Filter<string> = { ...textFilter, isPosition: true };

/** A day such as 2026-11-21, or ''. */
export const dayFilter: Filter<string> = {
  read: (text) => (text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : ''),
  write: (value) => value,
};

/** A month such as 2026-11, or ''. */
export const monthFilter: Filter<string> = {
  read: (text) => (text !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text : ''),
  write: (value) => value,
};

/** One of the words, the first by default. */
export function choiceFilter<const Words extends readonly [string, ...string[]]>(words: Words): Filter<Words[number]> {
  return {
    read: (text) => words.find((word) => word === text) ?? words[0],
    write: (value) => (value === words[0] ? '' : value),
  };
}

/**
 * The values of a page's filters, and a function that changes some of them. Any change except of a position goes back to the first page.
 * `push: false` replaces the history entry, for text that is being typed.
 */
export function useFilters<Of extends Filters>(
  filters: Of,
): readonly [ValuesOf<Of>, (change: Partial<ValuesOf<Of>>, options?: { readonly push?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const kept = useRouterState({ select: ({ location }) => location.state.filters });
  const navigate = useNavigate();
  const values = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(filters).map(([name, filter]) => [name, filter.read(kept?.[name] ?? search[name])]),
      ) as unknown as ValuesOf<Of>,
    [filters, search, kept],
  );
  const change = useCallback(
    (changed: Partial<ValuesOf<Of>>, { push = true } = {}): void => {
      const positions = Object.keys(filters).filter((name) => filters[name]?.isPosition === true);
      const isMove = positions.some((name) => name in changed);
      const next: Record<string, string | undefined> = {};
      if (!isMove) for (const name of positions) next[name] = undefined;
      const keep: Record<string, string> = {};
      for (const [name, value] of Object.entries(changed)) {
        const text = (filters[name] as unknown as Filter<unknown>).write(value);
        const isPrivate = filters[name]?.isPrivate === true;
        if (isPrivate) keep[name] = text;
        next[name] = text === '' || isPrivate ? undefined : text;
      }
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...next }),
        state: (before) => ({ ...before, filters: { ...before.filters, ...keep } }),
        replace: !push,
        resetScroll: false,
      });
    },
    [filters, navigate],
  );
  return [values, change];
}

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** `?a=1&b=2` without empty and undefined values, or ''. */
export function queryText(parameters: QueryValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Values stay text: the router's own parser would read a phone number as a number. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  return queryText(search as Readonly<Record<string, string | undefined>>);
}
