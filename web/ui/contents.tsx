// A long page with its contents: beside it where there is room, above it elsewhere. The section is in the address, so that a link leads to it.
import { Anchor, List } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { textFilter, useFilters } from './filters.ts';
import styles from './contents.module.css';

const FILTERS = { part: textFilter };

export function WithContents({
  page,
  parts,
  children,
}: {
  /** The path of the page, for the links. */
  readonly page: string;
  /** The ids and titles of its sections. */
  readonly parts: ReadonlyArray<readonly [id: string, title: string]>;
  readonly children: ReactNode;
}): ReactNode {
  const [{ part }] = useFilters(FILTERS);
  useEffect(() => {
    if (parts.some(([id]) => id === part)) document.querySelector(`#${part}`)?.scrollIntoView();
  }, [part, parts]);
  return (
    <div className={styles['withContents']}>
      <nav aria-label="Contents" className={styles['contents']}>
        <List size="sm" spacing={6} listStyleType="none">
          {parts.map(([id, title]) => (
            <List.Item key={id}>
              <Anchor
                inherit
                renderRoot={(props) => <Link {...props} to={page} search={{ part: id }} resetScroll={false} />}
              >
                {title}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </nav>
      <div style={{ minWidth: 0 }}>{children}</div>
    </div>
  );
}
