/** Recurring requests. */
export const plans = {
  about: 'Payments requested repeatedly on fixed dates.',
  none: 'No recurring requests yet. Choose a frequency when you request a payment.',
  plan: 'Recurring request',
  plan_id: 'Recurring request {{id}}',
  next_date: 'Next date',
  collected: 'Collected',
  failed: 'Failed or expired',
  totals: 'Totals',
  total: 'Total of all dates',
  total_of_one: '{{number}} request',
  total_of_other: '{{number}} requests',
  paid_requests: 'Paid requests',
  open_requests: 'Open requests',
  all_requests: 'All requests',
  paused_since: 'Paused since',
  none_while_paused: 'None until resumed',
  pause: {
    button: 'Pause',
    title: 'Pause this recurring request?',
    text: 'No requests are created until you resume it. Dates in the meantime are skipped. Existing requests do not change.',
  },
  resume: {
    button: 'Resume',
    title: 'Resume this recurring request?',
    text: 'The next request is created on the next date. Dates in the past are skipped.',
  },
  stop: {
    button: 'Stop recurring',
    title: 'Stop this recurring request?',
    text: 'No further requests are created. Existing requests do not change.',
  },
} as const
