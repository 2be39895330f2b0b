import type { Command } from 'commander'
import { oldOrders } from '../../../actions/attestation-context.ts'
import { reviewOrderAction } from '../../../core/attestations/actions.ts'
import { listAttestations } from '../../../core/attestations/attestation.ts'
import { factsOf, findTarget, type ListedOrder, listOrders, type Target } from '../../../core/attestations/targets.ts'
import { listOrderAnswers, type StoredAnswer } from '../../../core/connections/network-orders.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { addActionCommand } from '../../action-command.ts'
import { jsonOption, organizationOption } from '../../arguments.ts'
import { addList, filter, type LimitOption } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addAttestations, describeAttestation, toOrder } from './attest.ts'

/** Add orders to networks and bill purchases: their states, and manual settlement where no answer can come. */
export function addOrders(program: Command, terminal: Terminal): void {
  const orders = program
    .command('orders')
    .description('orders to networks and billers: list them, and settle unanswered ones by hand')
    .addHelpText('after', EXAMPLES)

  addList<ListedOrder, ListOptions>(orders, terminal, {
    description: 'list the newest orders',
    filters: [
      organizationOption(),
      filter('--needs-attention', 'those that a person must look at, such as those that are open for too long'),
      filter('--open', 'those without an end'),
      filter('--connection <slug>', 'those on one connection, or at one biller'),
    ],
    limit: 'how many',
    read: (app, { organization, needsAttention: needs_attention, open, connection, limit }) =>
      listOrders(app.db, { organization, needs_attention, open, connection, old: oldOrders(app) }, limit),
    none: 'There are no such orders.',
    columns: {
      id: 'id',
      'sent (UTC)': 'sent',
      reference: 'reference',
      kind: 'kind',
      connection: 'connection',
      phone: 'phonenumber',
      currency: 'currency',
      amount: 'amount',
      state: 'state',
      attestation: 'waiting_attestation',
      attention: 'attention',
    },
  })

  orders
    .command('show')
    .description('show an order: what its network said, and what people have attested')
    .argument('<order>', 'the id or the reference, as `orders list` shows them', toOrder)
    .addOption(jsonOption())
    .action((by: string | number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const target = await findTarget(app.db, by)
        const { reference } = factsOf(target)
        const answers = target.order ? await listOrderAnswers(app.db, [target.order.id]) : []
        const { rows: attestations } = await listAttestations(app.db, { reference }, { limit: 100, offset: 0 })
        const text = [...describe(target), ...answers.map(describeAnswer), ...attestations.flatMap(describeAttestation)]
        const result = { ...(target.order ?? target.purchase), answers, attestations }
        printResult(terminal, result, { ...options, text: text.join('\n') })
      }),
    )

  addActionCommand(orders, terminal, reviewOrderAction, {
    read: (_, { reference }) => ({ reference: toOrder(`${reference}`) }),
  })
  addAttestations(orders, terminal)
}

interface ListOptions extends LimitOption {
  organization?: number
  needsAttention?: true
  open?: true
  connection?: string
}

function describe(target: Target): string[] {
  const { reference, kind, currency, amount, connection, state, sent } = factsOf(target)
  const { message, remote_id, attention, attested, created } = target.order ?? target.purchase
  const transaction = target.order?.remote_transaction_id ?? null
  const owner = target.order
    ? target.order.collection_request === null
      ? `recipient ${target.order.payment_recipient} of a payment`
      : `request ${target.order.collection_request}, attempt ${target.order.attempt}`
    : `purchase ${target.purchase.id}`
  return [
    `Order ${reference}: ${kind} of ${currency} ${displayAmount(amount)} on ${connection}, ${state}.`,
    `  of ${owner}`,
    ...(remote_id === null ? [] : [`  the network's id of it: ${remote_id}`]),
    ...(transaction === null ? [] : [`  the network's id of the money: ${transaction}`]),
    ...(message === null ? [] : [`  ${message}`]),
    ...(attested === null ? [] : [`  people have attested that it is ${attested}`]),
    ...(attention === null ? [] : [`  needs a person: ${attention}`]),
    `  ${formatTimestamp(created)}  created`,
    ...(sent === null ? [] : [`  ${formatTimestamp(sent)}  sent`]),
  ]
}

function describeAnswer({ at, source, outcome, remote_id, amount, code, message }: StoredAnswer): string {
  const details = [remote_id, amount === null ? null : displayAmount(amount), code, message].filter(
    (detail) => detail !== null,
  )
  return `  ${formatTimestamp(at)}  ${source}: ${outcome}${details.length > 0 ? ` (${details.join(', ')})` : ''}`
}

const EXAMPLES = `
Examples:
  $ npx kusanya orders list --needs-attention
  $ npx kusanya orders show 4711
  $ npx kusanya orders attest 4711 --outcome successful --remote-id MP240311.1200 --amount 1500 \\
      --statement "March 2026, page 2" --note "Row 7" --document march.pdf --user grace@example.com
  $ npx kusanya orders approve 3 --user finance@example.com
  $ npx kusanya orders approve 4 --by "Ruth, operations"        # as the operator of the installation`
