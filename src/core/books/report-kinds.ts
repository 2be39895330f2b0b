/**
 * Kinds of a report's sums.
 *
 * - `payments`: sent money without refunds.
 * - `fees`: the operator's charges for operations.
 * - `network_fees`: the networks' charges.
 * - `settlements`: money put into wallets and merchant accounts by hand, or taken out.
 */
export const reportKinds = [
  'collections',
  'payments',
  'refunds',
  'bills',
  'fees',
  'network_fees',
  'settlements',
] as const
export type ReportKind = (typeof reportKinds)[number]

export const reportGroups = ['day', 'month', 'network', 'connection', 'account'] as const
export type ReportGroup = (typeof reportGroups)[number]
