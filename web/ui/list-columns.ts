// Which columns of a list are shown, kept in the browser.
import { useLocalStorage } from '@mantine/hooks';

export type ColumnChoice = {
  readonly isHidden: (key: string) => boolean;
  readonly show: (key: string, isShown: boolean) => void;
  readonly hidden: readonly string[];
  readonly setHidden: (keys: readonly string[]) => void;
};

/** Columns that a list shows only to those who choose them. */
const HIDDEN_AT_FIRST: Readonly<Record<string, readonly string[]>> = {
  'audit-log': ['address'],
  partners: ['channels', 'billing', 'returned'],
  suppliers: ['score', 'callback'],
};
const NONE: readonly string[] = [];

/** `list` names the list. Hidden columns are kept, so that new ones are shown. */
export function useColumnChoice(list: string): ColumnChoice {
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: `lm-columns-${list}`,
    defaultValue: HIDDEN_AT_FIRST[list] ?? NONE,
    serialize: (keys) => keys.join(','),
    deserialize: (text) => (text === undefined || text === '' ? [] : text.split(',')),
    getInitialValueInEffect: false,
  });
  return {
    hidden,
    setHidden,
    isHidden: (key) => hidden.includes(key),
    show: (key, isShown) => setHidden([...hidden.filter((one) => one !== key), ...(isShown ? [] : [key])]),
  };
}
