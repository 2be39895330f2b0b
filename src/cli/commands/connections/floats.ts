import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { getConnection } from '../../../core/connections/connections.ts'
import { type FloatState, listFloats, setFloatThreshold } from '../../../core/ledger/balances.ts'
import { adjustFloat, settleFloat } from '../../../core/ledger/floats.ts'
import { begin } from '../../../db/client.ts'
import { type Amount, displayAmount, formatAmount } from '../../../lib/money.ts'
import { jsonOption, toAmount } from '../../arguments.ts'
import { addList } from '../../list-command.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { connectionAction } from './context.ts'

/** Add the commands about the money of connections: balances in the books and at the networks, and manual entries. */
export function addFloats(connections: Command, terminal: Terminal): void {
  addList<FloatState, { slug?: string }>(connections, terminal, {
    name: 'balances',
    description: 'list the floats of the books, with the balances that the networks stated last',
    arguments: [new Argument('[slug]', 'only this connection')],
    help: BALANCES_NOTES,
    read: async (app, { slug }) => {
      if (slug !== undefined) await getConnection(app.db, slug)
      return listFloats(app.db, slug)
    },
    none: 'No money has moved over a connection yet.',
    columns: {
      connection: 'connection',
      currency: 'currency',
      'float in the books': 'booked',
      'balance at the network': 'balance',
      'stated (UTC)': 'reported',
      'outside by': 'drift',
      'drifts since (UTC)': 'drift_since',
      'warn below': 'warn_below',
      'low since (UTC)': 'low_since',
    },
  })

  connections
    .command('threshold')
    .description('warn when the balance at the network is below an amount')
    .argument('<slug>')
    .argument('<amount>', 'such as 500000, or none', toThreshold)
    .addOption(currencyOption())
    .addOption(jsonOption())
    .action((slug: string, amount: Threshold, options: { currency: string; json?: boolean }) =>
      setThreshold(terminal, slug, amount.amount, options),
    )

  connections
    .command('adjust')
    .description('record money moved into or out of a merchant account outside of Kusanya')
    .argument('<slug>')
    .argument('<amount>', 'above zero for money put in, below zero for money taken out', toAmount)
    .addOption(currencyOption())
    .requiredOption('--description <text>', 'what it was, such as "Opening balance"')
    .addOption(jsonOption())
    .addHelpText('after', ADJUST_NOTES)
    .action((slug: string, amount: Amount, options: { currency: string; description: string; json?: boolean }) =>
      enter(terminal, slug, amount, { ...options, action: 'adjust float', write: adjustFloat }),
    )

  connections
    .command('settle')
    .description('record money that an organization has handed over to you from its own merchant account')
    .argument('<slug>', 'the connection of the organization')
    .argument('<amount>', 'what it has handed over', toAmount)
    .addOption(currencyOption())
    .requiredOption('--description <text>', 'how it came, such as "Bank transfer of 3 May"')
    .addOption(jsonOption())
    .addHelpText('after', SETTLE_NOTES)
    .action((slug: string, amount: Amount, options: { currency: string; description: string; json?: boolean }) =>
      enter(terminal, slug, amount, { ...options, action: 'settle float', write: settleFloat }),
    )
}

/** An entry in the float of a connection, and how it is called in the audit log. */
interface FloatCommand {
  currency: string
  description: string
  json?: boolean
  action: 'adjust float' | 'settle float'
  write: typeof adjustFloat
}

function currencyOption(): Option {
  return new Option('--currency <code>', 'such as UGX').argParser((text) => text.toUpperCase()).makeOptionMandatory()
}

/** An amount of zero or more, or null for none. Commander takes null for a missing argument, so it is in an object. */
interface Threshold {
  amount: Amount | null
}

function toThreshold(text: string): Threshold {
  if (text === 'none') return { amount: null }
  const amount = toAmount(text)
  if (amount < 0n) throw new InvalidArgumentError('It must not be below zero.')
  return { amount }
}

function setThreshold(
  terminal: Terminal,
  slug: string,
  warn_below: Amount | null,
  options: { currency: string; json?: boolean },
): Promise<void> {
  return withApp(terminal, async (app) => {
    const { currency } = options
    const row = await getConnection(app.db, slug)
    const details = { currency, warn_below: warn_below === null ? null : formatAmount(warn_below) }
    await begin(app.db, async (tx) => {
      await setFloatThreshold(tx, { connection: slug, currency, warn_below })
      await recordOperatorAction(tx, app, row.organization, connectionAction('set float threshold', row, details))
    })
    const text =
      warn_below === null
        ? `Nothing warns of a low balance of ${slug} in ${currency}.`
        : `A balance of ${slug} below ${currency} ${displayAmount(warn_below)} raises a notice.`
    printResult(terminal, { slug, ...details }, { ...options, text })
  })
}

function enter(terminal: Terminal, slug: string, amount: Amount, options: FloatCommand): Promise<void> {
  return withApp(terminal, async (app) => {
    const { currency, description, json, action, write } = options
    const row = await getConnection(app.db, slug)
    const details = { amount: `${currency} ${displayAmount(amount)}`, description }
    const { float } = await begin(app.db, async (tx) => {
      await recordOperatorAction(tx, app, row.organization, connectionAction(action, row, details))
      return write(tx, app.clock.now(), { connection: slug, currency, amount, description })
    })
    const text = `The float of ${slug} in the books is ${currency} ${displayAmount(float)} now.`
    printResult(terminal, { slug, currency, float }, { json, text })
  })
}

const BALANCES_NOTES = `
Each hour the networks that tell their balance are asked. "outside by" says how far the balance is outside of what the books
allow: the float, less open payouts, with open charges, and FLOAT_TOLERANCE_PERCENT. Twice in a row is a drift.`

const ADJUST_NOTES = `
Wallets do not change. The entry keeps the books equal to the merchant account.

Examples:
  $ npx kusanya connections adjust mtn-uganda 2500000 --currency UGX --description "Opening balance"
  $ npx kusanya connections adjust mtn-uganda -1000000 --currency UGX --description "Paid out to the bank"`

const SETTLE_NOTES = `
Where several organizations share the installation, money that came over a connection of one of them can leave over its own
connections only. After this entry, as much may leave over yours. Wallets do not change.

Example:
  $ npx kusanya connections settle shop-till 250000 --currency KES --description "Bank transfer of 3 May"`
