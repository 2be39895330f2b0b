import type { Command } from 'commander'
import { bulkPaymentList } from '../../../actions/lists/payments.ts'
import { operatorFor, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { networksForPayouts } from '../../../connections/payout-networks.ts'
import type { Actor } from '../../../core/access/action.ts'
import { importBulkPaymentAction } from '../../../core/payments/bulk/actions.ts'
import { type CheckedRow, checkRows } from '../../../core/payments/bulk/check.ts'
import { type PaymentFile, readPaymentFile, titles } from '../../../core/payments/bulk/columns.ts'
import type { BulkPaymentDetail, Warning } from '../../../core/payments/bulk/row.ts'
import { Invalid } from '../../../core/refusals.ts'
import { displayAmount } from '../../../lib/money.ts'
import { chooseMember, toCount } from '../../arguments.ts'
import { readNamedFile } from '../../batch-commands.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, required, typed } from '../../typed.ts'

const IMPORT = {
  path: typed('<file>', 'with the columns phone number, name, amount, currency, reference and wallet'),
  description: required(
    typed('--description <text>', 'what the payments are for; a row may have a reference of its own'),
  ),
  user: typed('--user <email>', 'the user who initiates them; not needed while the organization has one user'),
  account: typed(
    '--account <id>',
    'the wallet for rows that name none; default: the oldest in the currency of the row',
    toCount,
  ),
  sheet: typed('--sheet <name>', 'the sheet to read, of a workbook with several'),
  sms: typed('--sms', 'send each recipient an SMS when the money has arrived'),
  skips_wrong: typed('--skip-wrong', 'skip rows that cannot be paid'),
  pays_twice: typed('--pay-twice', 'also pay rows that may be paid twice'),
  yes: typed('--yes', 'start the payments'),
}

/** The commands for payments from a file: `payments import` and `payments imports`. */
export function addPaymentImport(payments: Command, terminal: Terminal): void {
  addCommand(payments, terminal, {
    name: 'import',
    description: 'pay the rows of a CSV or an Excel file; without --yes it only checks them',
    typed: IMPORT,
    organization: 'one',
    async run(app, { path, sheet, user, yes, ...wanted }, { owner }) {
      const file = await readPaymentFile({ ...(await readNamedFile(path)), sheet })
      if (yes) {
        const member = await chooseMember(app.db, owner, user)
        const started = await importFile(app, operatorFor(owner.id, member), file, wanted)
        return { shown: started, text: describeStarted(started) }
      }
      const context = { now: app.clock.now(), organization: owner.id, account: wanted.account ?? null }
      const chooseNetwork = networksForPayouts(app.connections)
      const rows = await checkRows(app.db, file.rows, { ...context, chooseNetwork })
      return { shown: rows.map(toShownRow), text: describeChecked(rows, file) }
    },
  })

  addListCommand(payments, terminal, bulkPaymentList)
}

/** @throws CommandError, Refusal */
async function importFile(
  app: App,
  actor: Actor,
  file: PaymentFile,
  wanted: Pick<Given<typeof IMPORT>, 'description' | 'account' | 'sms' | 'skips_wrong' | 'pays_twice'>,
): Promise<BulkPaymentDetail> {
  const { description, account = null, sms = false, skips_wrong = false, pays_twice = false } = wanted
  const input = { file, description, account, send_sms_message: sms, skips_wrong, pays_twice }
  return runAction(app, actor, importBulkPaymentAction, input).catch((error: unknown) => {
    if (!(error instanceof Invalid && error.fields.rows)) throw error
    throw new CommandError(`${error.fields.rows.join(' ')} Nothing was started.\n${ADVICE}`)
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
