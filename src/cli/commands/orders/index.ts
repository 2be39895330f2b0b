import type { Command } from 'commander'
import { oldOrders } from '../../../actions/attestation-context.ts'
import { listOrderAnswers, type NetworkOrder, type StoredAnswer } from '../../../core/connections/network-orders.ts'
import { reviewOrderAction } from '../../../core/manual-settlements/actions.ts'
import { listAttestations } from '../../../core/manual-settlements/attestation.ts'
import { factsOf, findTarget, listOrders, type Target } from '../../../core/manual-settlements/targets.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { addActionCommand } from '../../action-command.ts'
import { addCommand } from '../../command.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { addAttestations, describeAttestation, toOrder } from './attest.ts'

/** Add orders to networks and bill purchases: their states, and manual settlement where no answer can come. */
export function addOrders(program: Command, terminal: Terminal): void {
  const orders = program
    .command('orders')
    .description('orders to networks and billers: list them, and settle unanswered ones by hand')
    .addHelpText('after', EXAMPLES)

  addList(orders, terminal, {
    description: 'list the newest orders',
    typed: {
      needs_attention: typed(
        '--needs-attention',
        'those that a person must look at, such as those that are open for too long',
      ),
      open: typed('--open', 'those without an end'),
      connection: typed('--connection <slug>', 'those on one connection, or at one biller'),
    },
    organization: 'all',
    limit: 'how many',
    read: (app, { limit, ...filters }, owner) =>
      listOrders(app.db, { organization: owner?.id, ...filters, old: oldOrders(app) }, limit),
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

  addCommand(orders, terminal, {
    name: 'show',
    description: 'show an order: what its network said, and what people have attested',
    typed: { by: typed('<order>', 'the id or the reference, as `orders list` shows them', toOrder) },
    async run({ db }, { by }) {
      const target = await findTarget(db, by)
      const { reference } = factsOf(target)
      const answers = target.purchase ? [] : await listOrderAnswers(db, [target.order.id])
      const { rows: attestations } = await listAttestations(db, { reference }, { limit: 100, offset: 0 })
      const text = [
        ...describe(target),
        ...answers.flatMap(describeAnswer),
        ...attestations.flatMap(describeAttestation),
      ]
      return { shown: { ...(target.purchase ?? withoutVend(target.order)), answers, attestations }, text }
    },
  })

  addActionCommand(orders, terminal, reviewOrderAction, {
    read: (_, { reference }) => ({ reference: toOrder(`${reference}`) }),
  })
  addAttestations(orders, terminal)
}

/** An order to a network, without the columns of vends. */
function withoutVend(order: NetworkOrder): Partial<NetworkOrder> {
  const { bill_purchase: _, remote_service: _service, remote_product: _product, cost: _cost, ...rest } = order
  const { charged: _charged, charged_currency: _currency, sent_real: _sent, restored: _restored, ...shown } = rest
  return shown
}

function describe(target: Target): string[] {
  const { reference, kind, currency, amount, connection, state, sent } = factsOf(target)
  const { order, purchase } = target
  const { message, remote_id, attention, attested, created } = purchase ?? order
  const transaction = order.remote_transaction_id
  const owner = purchase
    ? `purchase ${purchase.id}`
    : order.collection_request === null
      ? `recipient ${order.payment_recipient} of a payment`
      : `request ${order.collection_request}, attempt ${order.attempt}`
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

function describeAnswer(
  { number, at, source, outcome, remote_id, amount, code, message }: StoredAnswer,
  index: number,
  answers: readonly StoredAnswer[],
): string[] {
  const details = [remote_id, amount === null ? null : displayAmount(amount), code, message].filter(
    (detail) => detail !== null,
  )
  const left_out = number - (answers[index - 1]?.number ?? 0) - 1
  return [
    ...(left_out > 0 ? [`  … ${left_out} more answers, which are not kept`] : []),
    `  ${formatTimestamp(at)}  ${source}: ${outcome}${details.length > 0 ? ` (${details.join(', ')})` : ''}`,
  ]
}

const EXAMPLES = `
Examples:
  $ npx kusanya orders list --needs-attention
  $ npx kusanya orders show 4711
  $ npx kusanya orders attest 4711 --outcome successful --remote-id MP240311.1200 --amount 1500 \\
      --statement "March 2026, page 2" --note "Row 7" --document march.pdf --user grace@example.com
  $ npx kusanya orders approve 3 --user finance@example.com
  $ npx kusanya orders approve 4 --by "Ruth, operations"        # as the operator of the installation`
