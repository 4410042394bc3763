import { describe, expect, it } from 'vitest';

import { shownOffers, shownPartners, shownSuppliers } from './simulation-view.rules.ts';

const row = (leads: [number, number], revenue: [number, number], cost: [number, number] = [0, 0]) => ({
  leads: { from: leads[0], to: leads[1] },
  revenue: { from: revenue[0], to: revenue[1] },
  cost: { from: cost[0], to: cost[1] },
  margin: { from: revenue[0] - cost[0], to: revenue[1] - cost[1] },
});

describe('The result of a dry run', () => {
  it('lists the changed partners by the size of the difference, gains and losses alike', () => {
    const partners = [
      { partner: 'same', ...row([5, 5], [50, 50]) },
      { partner: 'gains', ...row([1, 2], [10, 20.1]) },
      { partner: 'loses', ...row([9, 5], [90, 50]) },
      { partner: 'more-for-less', ...row([1, 4], [40, 40]) },
      { partner: 'fewer-for-more', ...row([4, 1], [40, 40]) },
    ];
    const shown = shownPartners({ partners });
    expect(shown.rows.map(({ partner }) => partner)).toEqual(['loses', 'gains', 'fewer-for-more', 'more-for-less']);
    expect(shown).toMatchObject({ changed: 4, unchanged: 1 });
  });

  it('lists a supplier whose cost is all that changes', () => {
    const suppliers = [
      { supplier: 'same', ...row([5, 5], [50, 50], [10, 10]) },
      { supplier: 'dearer', ...row([5, 5], [50, 50], [10, 12]) },
    ];
    expect(shownSuppliers({ suppliers }).rows.map(({ supplier }) => supplier)).toEqual(['dearer']);
  });

  it('lists only the offers with the largest differences if there are very many', () => {
    const offers = Array.from({ length: 600 }, (_, index) => ({
      offer: `offer-${index}`,
      partner: 'summit',
      ...row([0, 1], [0, index + 1]),
    }));
    const shown = shownOffers({ offers });
    expect(shown.rows).toHaveLength(500);
    expect(shown.rows[0]?.offer).toBe('offer-599');
    expect(shown).toMatchObject({ changed: 600, unchanged: 0 });
  });
});
