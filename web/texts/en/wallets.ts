/** Wallets: list, transactions, and the chart of the balance. */
export const wallets = {
  about: 'Your balances. Collections are paid in here, and payments are sent from here.',
  none: 'No wallets yet. An operator creates them.',
  wallet: 'Wallet',
  holds: 'Balance: {{money}}',
  counterparty: 'Counterparty',
  caused_by: 'Caused by',
  refund_id: 'Refund {{id}}',
  purchase_id: 'Purchase {{id}}',
  invoice_id: 'Invoice {{id}}',
  no_transactions: 'No transactions yet.',
  time: 'Time',
  chart_about: 'After each of the latest transactions.',
  chart_count_one: 'After the latest transaction.',
  chart_count_other: 'After each of the latest {{count}} transactions.',
  now: 'Now',
} as const
