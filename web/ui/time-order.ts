// The words of a list that a time orders, and of the links to its pages: newest or oldest first.

export const TIME_ORDERS = {
  newest: {
    order: 'newest first',
    title: 'Newest first',
    start: 'Newest',
    next: 'Older',
    search: 'Search older',
    searched: 'Searched back to',
    none: 'No older',
  },
  oldest: {
    order: 'oldest first',
    title: 'Oldest first',
    start: 'Oldest',
    next: 'Newer',
    search: 'Search newer',
    searched: 'Searched up to',
    none: 'No newer',
  },
} as const;
