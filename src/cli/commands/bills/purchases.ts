import type { Command } from 'commander'
import { purchaseList } from '../../../actions/lists/bills.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { approvePurchaseAction, rejectPurchaseAction, requeryPurchaseAction } from '../../../core/bills/actions.ts'
import { awaitsApproval, findPurchasesById, type Purchase } from '../../../core/bills/purchases.ts'
import { toBillResult } from '../../../core/bills/results.ts'
import { nameServices } from '../../../core/bills/service-names.ts'
import { type GoodsSms, listGoodsSms } from '../../../core/bills/token-sms.ts'
import { type Attempt, listAttempts } from '../../../core/bills/vends/attempts.ts'
import { NotFound } from '../../../core/refusals.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { addActionCommand, byMember } from '../../action-command.ts'
import { toCount } from '../../arguments.ts'
import { addCommand, addShow, type Told } from '../../command.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** The commands that list, show and requery purchases. */
export function addPurchases(bills: Command, terminal: Terminal): void {
  addListCommand(bills, terminal, purchaseList)

  addShow(bills, terminal, 'show a purchase, the answer of the biller, and what the customer got', async (app, id) => {
    const [purchase] = (await nameServices(app.db, [await find(app, id)])) as [NamedPurchase]
    const attempts = await listAttempts(app.db, purchase)
    const sms = await listGoodsSms(app.db, id)
    const text = [describe(purchase, attempts), ...sms.map(describeSms)]
    return { shown: { ...purchase, result: toBillResult(purchase), attempts, sms }, text }
  })

  addCommand(bills, terminal, {
    name: 'requery',
    description: 'requery an open purchase at the biller now, before its next requery is due',
    typed: { id: typed('<id>', 'as `bills list` shows it', toCount) },
    run: requery,
  })

  const decision = byMember<{ id: number }>('decides', async (app, { id }) => (await find(app, id!)).organization)
  addActionCommand(bills, terminal, approvePurchaseAction, decision)
  addActionCommand(bills, terminal, rejectPurchaseAction, decision)
}

type NamedPurchase = Purchase & { service_name: string }

async function requery(app: App, { id }: { id: number }): Promise<Told> {
  const purchase = await find(app, id)
  const open = purchase.status === 'pending' && !awaitsApproval(purchase)
  if (open) await runAction(app, operator(purchase.organization), requeryPurchaseAction, { id })
  const text = open
    ? `The jobs requery purchase ${id} next. \`npx kusanya bills show ${id}\` shows the answer.`
    : purchase.status === 'pending'
      ? `Purchase ${id} waits for an approval. Approvers decide in the console.`
      : `Purchase ${id} is settled: ${purchase.status}.`
  return { shown: { id, asked: open, status: purchase.status }, text }
}

async function find(app: App, id: number): Promise<Purchase> {
  const purchase = (await findPurchasesById(app.db, [id])).get(id)
  if (!purchase) throw new NotFound(`There is no purchase ${id}.`)
  return purchase
}

function describe(purchase: NamedPurchase, attempts: readonly Attempt[]): string {
  const { id, kind, service_name, service_type, account_number, currency, amount, agent_reference, status } = purchase
  const lines: [string, string | null][] = [
    ['created', formatTimestamp(purchase.created)],
    ['service', service_type],
    ['for', account_number || purchase.phone || null],
    ['agentReference', agent_reference],
    ['organization', String(purchase.organization)],
    ['biller', `${purchase.biller}, with the reference ${purchase.reference}`],
    ['answer', purchase.message ?? purchase.outcome],
    ['code', purchase.failure_code],
    ['token', purchase.vended?.token ?? null],
    ['power', purchase.vended?.amount_of_power ?? null],
    ['attention', purchase.attention],
    ['asked', `${purchase.status_queries} times`],
    ['next asked', purchase.due_at && formatTimestamp(purchase.due_at)],
  ]
  const details = lines.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(16)}${value}`]))
  return [
    `Purchase ${id} (${kind}, ${service_name}): ${currency} ${displayAmount(amount)}, ${status}`,
    ...details,
    ...(attempts.length > 1 ? ['  attempts', ...attempts.map(describeAttempt)] : []),
  ].join('\n')
}

function describeAttempt({
  attempt,
  connection,
  reference,
  outcome,
  reason,
  message,
  cost,
  sold_after_all,
}: Attempt): string {
  const answer = [outcome ?? 'not answered', reason, message].filter(Boolean).join(': ')
  const price = cost === null ? '' : `, cost ${displayAmount(cost)}`
  const late = sold_after_all === null ? '' : `; it said on ${formatTimestamp(sold_after_all)} that it has sold it`
  return `    ${attempt}. ${connection} (${reference}${price}): ${answer}${late}`
}

function describeSms({ id, phonenumber, state, last_error }: GoodsSms): string {
  return `  SMS ${id} to ${phonenumber}: ${last_error === null ? state : `${state}, ${last_error}`}`
}
