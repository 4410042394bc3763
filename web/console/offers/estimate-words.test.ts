import { describe, expect, it } from 'vitest';

import { estimateWords, sampleWords } from './estimate-words.ts';

const estimate = { leads: 2000, days: 5, price: 45, weekly: { matching: 38.4, bought: 0, winnable: 30.6 } };

describe('The words of an estimate', () => {
  it.each([
    [estimate, 'About 38 leads a week match these filters. Without a buyer, or sold for less than $45.00: about 31.'],
    [
      { ...estimate, weekly: { matching: 1204.2, bought: 12, winnable: 0 } },
      'About 1,204 leads a week match these filters. Sold to this offer: about 12. Without a buyer, or sold to others for less than $45.00: none.',
    ],
    [
      { ...estimate, weekly: { matching: 1, bought: 0, winnable: 0.25 } },
      'About one lead a week matches these filters. Without a buyer, or sold for less than $45.00: less than one.',
    ],
    [
      { ...estimate, price: null, weekly: { matching: 0.25, bought: 0, winnable: null } },
      'Less than one lead a week matches these filters.',
    ],
    [{ ...estimate, weekly: { matching: 0, bought: 0, winnable: 0 } }, 'None of the last leads match these filters.'],
    [{ ...estimate, leads: 0 }, 'There are no leads yet to estimate from.'],
  ])('for %j', (input, words) => expect(estimateWords(input, 'USD')).toBe(words));

  it('name the sample and what it leaves out', () => {
    expect(sampleWords({ leads: 2000, days: 5.4 })).toBe(
      'Estimated from the last 2,000 leads, of 5 days. Hours, caps, budgets and lists are not considered; a dry run does that.',
    );
  });
});
