// Caches the layout of spreadsheets for some minutes, so that an append needs no reads first: the first sheet's title, and whether the
// sheet has any rows.
import type { Clock } from '../../clock.ts';
import type { SheetsApi, Step, TimeLeft } from './sheets-api.ts';

export type SheetLayout = {
  readonly title: string;
  /** Whether there is a first row; false when unknown. The caller sets it after a read or a write. */
  isBegun: boolean;
};

export type SheetLayouts = {
  of(spreadsheetId: string, left: TimeLeft): Promise<Step<SheetLayout>>;
  /** Drops the layout of a spreadsheet that may have been renamed or replaced. */
  discard(spreadsheetId: string): void;
};

/** A renamed sheet is noticed after this time, or when an append is rejected. */
const KNOWN_FOR_MS = 300_000;

export function createSheetLayouts(api: SheetsApi, clock: Clock): SheetLayouts {
  const known = new Map<string, { readonly layout: SheetLayout; readonly until: number }>();
  return {
    async of(spreadsheetId, left) {
      const now = clock.now().getTime();
      for (const [id, { until }] of known) if (until <= now) known.delete(id);
      const found = known.get(spreadsheetId);
      if (found !== undefined) return { ok: true, value: found.layout };
      const title = await api.firstTitle(spreadsheetId, left);
      if (!title.ok) return title;
      const layout: SheetLayout = { title: title.value, isBegun: false };
      known.set(spreadsheetId, { layout, until: now + KNOWN_FOR_MS });
      return { ok: true, value: layout };
    },
    discard: (spreadsheetId) => void known.delete(spreadsheetId),
  };
}
