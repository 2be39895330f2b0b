import type { Command } from 'commander'
import { getConnection } from '../../../core/connections/connections.ts'
import { adjustFloatAction, setFloatThresholdAction, settleFloatAction } from '../../../core/ledger/actions.ts'
import { listFloats } from '../../../core/ledger/balances.ts'
import { addActionCommand } from '../../action-command.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** Add the commands about the money of connections: balances in the books and at the networks, and manual entries. */
export function addFloats(connections: Command, terminal: Terminal): void {
  addList(connections, terminal, {
    name: 'balances',
    description: 'list the floats of the books, with the balances that the networks stated last',
    typed: { slug: typed('[slug]', 'only this connection') },
    help: BALANCES_NOTES,
    async read(app, { slug }) {
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

  addActionCommand(connections, terminal, setFloatThresholdAction)
  addActionCommand(connections, terminal, adjustFloatAction, { help: ADJUST_NOTES })
  addActionCommand(connections, terminal, settleFloatAction, { help: SETTLE_NOTES })
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
