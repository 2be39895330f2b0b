import type { Command } from 'commander'
import { closePaymentLinkAction } from '../../core/checkout/actions.ts'
import { linkStates, type PaymentLink, withUrl } from '../../core/checkout/payment-link.ts'
import { listPaymentLinks } from '../../core/checkout/payment-links.ts'
import { displayAmount, parseAmount } from '../../lib/money.ts'
import { addActionCommand } from '../action-command.ts'
import { organizationOption } from '../arguments.ts'
import { addList, filter, type LimitOption, newest, ofEach } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'

/** The commands for payment links. Links are created with the API and in the console, in the name of a user. */
export function addLinks(program: Command, terminal: Terminal): void {
  const links = program.command('links').description('payment links: pages on which customers pay')

  addList<PaymentLink, LimitOption & { organization?: number; state?: string }>(links, terminal, {
    description: 'list the newest payment links',
    filters: [organizationOption(), filter('--state <state>', 'only those in this state').choices(linkStates)],
    limit: 'how many for each organization',
    read: ofEach(async (app, organization, { state, limit }) => {
      const list = await listPaymentLinks(app.db, app.clock.now(), organization, { state }, newest(limit))
      return { ...list, rows: list.rows.map((row) => withUrl(row, app.address.url)) }
    }),
    none: 'There are no such payment links. POST /api/paymentlinks and the console create them.',
    columns: {
      id: 'id',
      title: 'title',
      currency: 'currency',
      amount: describeAmount,
      use: ({ single_use }) => (single_use ? 'once' : 'many times'),
      state: 'state',
      url: 'url',
    },
  })

  addActionCommand(links, terminal, closePaymentLinkAction)
}

/** The amount of a link, such as `1,500`, `1,000 to 5,000` or `1,000, 2,000`. */
function describeAmount({ amount, min_amount, max_amount, amounts }: PaymentLink): string {
  if (amount !== null) return displayAmount(amount)
  if (amounts !== null) return amounts.map((one) => displayAmount(parseAmount(one)!)).join(', ')
  return `${displayAmount(min_amount!)} to ${displayAmount(max_amount!)}`
}
