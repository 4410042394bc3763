// Lists as CSV that the console and the portal have alike (decision 080).
import type { ListedNotice } from '../notices/notice-list.schema.ts';
import { exportedList, type ExportedList } from './list-export.rules.ts';
import type { ListView } from './lists.schema.ts';

export function exportedContactLists(path: string): ExportedList {
  return exportedList<ListView>()({
    path,
    largePage: { pageSize: '200' },
    idOf: ({ listId }) => listId,
    columns: {
      name: { name: ({ name }) => name, key: ({ key }) => key },
      kind: { kind: ({ kind }) => kind },
      use: { use: ({ use }) => use, partner: ({ partner }) => partner },
      entries: { entries: ({ entries }) => entries },
      matches: {
        recent_matches: ({ recentMatches }) => recentMatches,
        recent_leads: ({ recentLeads }) => recentLeads,
      },
      loaded: { loaded_at: ({ loadedAt }) => loadedAt },
    },
  });
}

export function exportedNotices(path: string): ExportedList {
  return exportedList<ListedNotice>()({
    path,
    cursor: 'before',
    idOf: ({ id }) => id,
    columns: {
      raisedAt: { at: ({ raisedAt }) => raisedAt },
      title: { title: ({ title }) => title, kind: ({ kind }) => kind },
      to: { recipient: ({ recipientKind, recipientKey }) => `${recipientKind} ${recipientKey}`.trim() },
      sends: { messages: ({ sends }) => sends.map(({ channel, state }) => `${channel} ${state}`).join('; ') },
    },
  });
}
