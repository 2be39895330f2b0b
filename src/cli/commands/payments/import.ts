import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { bulkPaymentList } from '../../../actions/lists/payments.ts'
import type { App } from '../../../app.ts'
import { networksForPayouts } from '../../../connections/payout-networks.ts'
import { type CheckedRow, checkRows } from '../../../core/payments/bulk/check.ts'
import { type PaymentFile, readPaymentFile, titles } from '../../../core/payments/bulk/columns.ts'
import { createDraft, decideRows, lockBulkPayment } from '../../../core/payments/bulk/drafts.ts'
import { readBulkPayment } from '../../../core/payments/bulk/read.ts'
import type { BulkPaymentDetail, Warning } from '../../../core/payments/bulk/row.ts'
import { startBulkPayment } from '../../../core/payments/bulk/start.ts'
import { begin } from '../../../db/client.ts'
import { displayAmount } from '../../../lib/money.ts'
import { chooseMember, chooseOrganization, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface ImportOptions {
  organization?: number
  user?: string
  account?: number
  description: string
  sms?: true
  skipWrong?: true
  payTwice?: true
  yes?: true
  sheet?: string
  json?: boolean
}

/** The commands for payments from a file: `payments import` and `payments imports`. */
export function addPaymentImport(payments: Command, terminal: Terminal): void {
  payments
    .command('import')
    .description('pay the rows of a CSV or an Excel file; without --yes it only checks them')
    .argument('<file>', 'with the columns phone number, name, amount, currency, reference and wallet')
    .requiredOption('--description <text>', 'what the payments are for; a row may have a reference of its own')
    .addOption(organizationOption())
    .option('--user <email>', 'the user who initiates them; not needed while the organization has one user')
    .option(
      '--account <id>',
      'the wallet for rows that name none; default: the oldest in the currency of the row',
      toCount,
    )
    .option('--sheet <name>', 'the sheet to read, of a workbook with several')
    .option('--sms', 'send each recipient an SMS when the money has arrived')
    .option('--skip-wrong', 'skip rows that cannot be paid')
    .option('--pay-twice', 'also pay rows that may be paid twice')
    .option('--yes', 'start the payments')
    .addOption(jsonOption())
    .action((path: string, options: ImportOptions) =>
      withApp(terminal, async (app) => {
        const organization = await chooseOrganization(app.db, options.organization)
        const file = await readPaymentFile({
          name: basename(path),
          bytes: await readFile(path),
          sheet: options.sheet,
        })
        if (options.yes) {
          const member = await chooseMember(app.db, organization, options.user)
          const started = await importFile(app, file, { ...options, organization: organization.id, member })
          app.wake()
          printResult(terminal, started, { ...options, text: describeStarted(started) })
          return
        }
        const context = { now: app.clock.now(), organization: organization.id, account: options.account ?? null }
        const rows = await checkRows(app.db, file.rows, {
          ...context,
          chooseNetwork: networksForPayouts(app.connections),
        })
        printResult(terminal, rows.map(toShownRow), { ...options, text: describeChecked(rows, file).join('\n') })
      }),
    )

  addListCommand(payments, terminal, bulkPaymentList)
}

type ImportRun = ImportOptions & { organization: number; member: { id: number; email: string } }

/** Store and start a file in one transaction, so that a refusal leaves nothing behind. @throws CommandError, Refusal */
async function importFile(app: App, file: PaymentFile, run: ImportRun): Promise<BulkPaymentDetail> {
  const { organization, member, description, account = null, sms = false } = run
  const chooseNetwork = networksForPayouts(app.connections)
  return begin(app.db, async (tx) => {
    const now = app.clock.now()
    const draft = { organization, author: member.id, description, account, send_sms_message: sms, file }
    const id = await createDraft(tx, now, draft, chooseNetwork)
    const locked = await lockBulkPayment(tx, organization, id)
    if (run.skipWrong) await decideRows(tx, locked, { rows: 'wrong', decision: 'skip' })
    if (run.payTwice) await decideRows(tx, locked, { rows: 'warned', decision: 'pay' })
    const who = { organization, bulk_payment: id, user: member.id }
    const { refusal } = await startBulkPayment(tx, now, who, chooseNetwork)
    if (refusal) throw new CommandError(`${refusal.fields.rows!.join(' ')} Nothing was started.\n${ADVICE}`)
    const details = { for: member.email, rows: file.rows.length, sha256: file.digest }
    await recordOperatorAction(tx, app, organization, {
      ...{ action: 'start bulk payment', object_type: 'bulkpayment', object: id, details },
    })
    return readBulkPayment(tx, organization, id)
  })
}

const ADVICE =
  'The command without --yes shows these rows. --skip-wrong skips rows that cannot be paid; --pay-twice pays rows that may be paid twice.'

function describeStarted({ id, funds, states, notes }: BulkPaymentDetail): string {
  const sums = funds.map(({ currency, needed }) => `${currency} ${displayAmount(needed)}`).join(', ')
  const told = notes.map((note) => `${note}\n`).join('')
  return `${told}Bulk payment ${id} is started: ${states.open ?? 0} rows, ${sums} with fees. The service creates the payments; \`npx kusanya payments imports\` shows how far it is.`
}

/** A row as --json prints it. */
function toShownRow({ cells, ...row }: CheckedRow) {
  return row
}

/** Maximum number of printed rows with a remark. */
const MAX_SHOWN = 50

function describeChecked(rows: readonly CheckedRow[], { name, ignored_columns, notes }: PaymentFile): string[] {
  const remarks = rows.flatMap(({ number, problems, warnings }) => [
    ...problems.map(({ column, message }) => `  row ${number}, ${titles[column]}: ${message}`),
    ...warnings.map((warning) => `  row ${number}: ${describeWarning(warning)}`),
  ])
  const wrong = rows.filter(({ problems }) => problems.length > 0)
  const warned = rows.filter(({ problems, warnings }) => problems.length === 0 && warnings.length > 0)
  return [
    `${name}: ${rows.length} rows, ${wrong.length} cannot be paid, ${warned.length} may be paid twice.`,
    ...notes,
    ...(ignored_columns.length > 0 ? [`Columns that are not used: ${ignored_columns.join(', ')}.`] : []),
    ...remarks.slice(0, MAX_SHOWN),
    ...(remarks.length > MAX_SHOWN ? [`  … and ${remarks.length - MAX_SHOWN} more; --json prints all rows.`] : []),
    ...describeSums(rows),
    'Nothing was started. --yes starts the payments.',
  ]
}

function describeWarning({ code, rows = [], payments = [], bulk_payments = [] }: Warning): string {
  if (code === 'twice_in_file') return `the same phone number is in row ${rows.join(', ')} too`
  const where = [...payments.map((id) => `payment ${id}`), ...bulk_payments.map((id) => `bulk payment ${id}`)]
  return `the same amount was paid to this number in the last 7 days: ${where.join(', ')}`
}

function describeSums(rows: readonly CheckedRow[]): string[] {
  const payable = rows.filter(({ problems }) => problems.length === 0)
  return [...Map.groupBy(payable, ({ currency, network }) => `${network}, ${currency}`)].map(([where, group]) => {
    const amount = group.reduce((sum, row) => sum + row.amount!, 0n)
    const fees = group.reduce((sum, row) => sum + row.fee!, 0n)
    return `${where}: ${group.length} rows, ${displayAmount(amount)}, expected fees ${displayAmount(fees)}.`
  })
}
