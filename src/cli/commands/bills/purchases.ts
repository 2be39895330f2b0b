import { type Command, Option } from 'commander'
import type { App } from '../../../app.ts'
import { type Category, categories } from '../../../core/bills/catalogue.ts'
import {
  findPurchasesById,
  listPurchases,
  type Purchase,
  type PurchaseFilters,
  purchaseStatuses,
} from '../../../core/bills/purchases.ts'
import { toBillResult } from '../../../core/bills/results.ts'
import { checkPurchaseNow } from '../../../core/bills/vends.ts'
import { NotFound } from '../../../core/refusals.ts'
import { begin } from '../../../db/client.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { formatShortTime, printResult, printRows } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** What was bought at the counter, and what became of it. */
export function addPurchases(bills: Command, terminal: Terminal): void {
  bills
    .command('list')
    .description('list the newest purchases')
    .addOption(organizationOption())
    .addOption(new Option('--status <status>', 'those in one state').choices(purchaseStatuses))
    .addOption(new Option('--kind <kind>', 'those of one kind').choices(categories))
    .option('--reference <text>', 'the one with this agentReference')
    .option('--limit <count>', 'how many', toCount, 50)
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya bills list --status pending')
    .action((options: ListOptions) => withApp(terminal, (app) => list(terminal, app, options)))

  bills
    .command('show')
    .description('show a purchase: what was bought, what the biller said, and what the customer got')
    .argument('<id>', 'as `bills list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const purchase = await find(app, id)
        printResult(terminal, { ...purchase, result: toBillResult(purchase) }, { ...options, text: describe(purchase) })
      }),
    )

  bills
    .command('requery')
    .description('ask the biller now what became of an open purchase, instead of when it is next due')
    .argument('<id>', 'as `bills list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, (app) => requery(terminal, app, id, options)),
    )
}

interface ListOptions {
  organization?: number
  status?: Purchase['status']
  kind?: Category
  reference?: string
  limit: number
  json?: boolean
}

async function list(terminal: Terminal, app: App, options: ListOptions): Promise<void> {
  const { organization, status, kind, reference: agent_reference } = options
  const filters: PurchaseFilters = { organization, status, kind, agent_reference }
  printRows(terminal, await listPurchases(app.db, filters, options.limit), {
    ...options,
    none: 'There is none.',
    columns: [
      { title: 'id', value: (row) => row.id },
      { title: 'bought (UTC)', value: (row) => formatShortTime(row.created) },
      { title: 'reference', value: (row) => row.agent_reference },
      { title: 'service', value: (row) => row.service_type },
      { title: 'account', value: (row) => row.account_number },
      { title: 'amount', value: (row) => displayAmount(row.amount) },
      { title: 'status', value: (row) => row.status },
      { title: 'the biller said', value: (row) => row.message ?? row.outcome },
    ],
  })
}

async function requery(terminal: Terminal, app: App, id: number, options: { json?: boolean }): Promise<void> {
  const purchase = await find(app, id)
  const open = await begin(app.db, (tx) => checkPurchaseNow(tx, app.clock.now(), id))
  app.wake()
  const text = open
    ? `The biller is asked about purchase ${id} as soon as the jobs run. \`npx kusanya bills show ${id}\` tells what it says.`
    : `Purchase ${id} is settled: ${purchase.status}.`
  printResult(terminal, { id, asked: open, status: purchase.status }, { ...options, text })
}

async function find(app: App, id: number): Promise<Purchase> {
  const purchase = (await findPurchasesById(app.db, [id])).get(id)
  if (!purchase) throw new NotFound(`There is no purchase ${id}.`)
  return purchase
}

function describe(purchase: Purchase): string {
  const { id, kind, service_type, account_number, currency, amount, agent_reference, status } = purchase
  const lines: [string, string | null][] = [
    ['bought', formatTimestamp(purchase.created)],
    ['for', account_number || purchase.phone || null],
    ['agentReference', agent_reference],
    ['organization', String(purchase.organization)],
    ['biller', `${purchase.biller}, which knows it as ${purchase.reference}`],
    ['biller said', purchase.message ?? purchase.outcome],
    ['code', purchase.failure_code],
    ['token', purchase.vended?.token ?? null],
    ['power', purchase.vended?.amount_of_power ?? null],
    ['asked', `${purchase.status_queries} times`],
    ['next asked', purchase.due_at && formatTimestamp(purchase.due_at)],
  ]
  const facts = lines.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(16)}${value}`]))
  return [`Purchase ${id} (${kind}, ${service_type}): ${currency} ${displayAmount(amount)}, ${status}`, ...facts].join(
    '\n',
  )
}
