import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { differenceList } from '../../../actions/lists/bills.ts'
import { operator } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { findBillConnection, listBillConnections } from '../../../connections/bill-sellers.ts'
import { approveDifferencesAction, rejectDifferencesAction } from '../../../core/bills/actions.ts'
import { categories } from '../../../core/bills/catalogue.ts'
import type { Approval } from '../../../core/bills/differences.ts'
import { findOffered } from '../../../core/bills/offers.ts'
import { listProviderFloats } from '../../../core/bills/provider-floats.ts'
import type { Reader } from '../../../db/client.ts'
import { canTellCatalogue, syncConnection } from '../../../jobs/bills/sync-catalogues.ts'
import { addActionCommand } from '../../action-command.ts'
import { toCount } from '../../arguments.ts'
import { addCommand, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addList, addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen, type Given, typed } from '../../typed.ts'

/** Add the commands about providers: their catalogues, the differences from our offers, and our floats there. */
export function addProviders(bills: Command, terminal: Terminal): void {
  addCommand(bills, terminal, {
    name: 'sync',
    description: 'read what providers sell now, and store the differences to our offers',
    typed: { slug: typed('[connection]', 'only this one') },
    run: sync,
  })
  addDifferences(bills, terminal)

  addList(bills, terminal, {
    name: 'floats',
    description: 'list our money at bill providers, and for how long it lasts',
    read: (app) =>
      listProviderFloats(
        app.db,
        listBillConnections(app).map(({ slug }) => slug),
      ),
    none: 'No bill provider has stated a balance yet.',
    help: FLOATS_NOTES,
    columns: {
      connection: 'connection',
      currency: 'currency',
      balance: 'balance',
      'stated (UTC)': 'reported',
      'spent in a day': 'spent_last_day',
      'not counted': 'uncounted_last_day',
      'hours left': (row) => (row.hours_left === null ? null : String(Math.floor(row.hours_left))),
      'warn below': 'warn_below',
      'low since (UTC)': 'low_since',
      'short since (UTC)': 'short_since',
    },
  })
}

async function sync(app: App, { slug }: { slug: string | undefined }): Promise<Told> {
  if (slug !== undefined && !findBillConnection(app, slug))
    throw new CommandError(`There is no connection ${slug} for bills.`)
  const asked = listBillConnections(app).filter(
    (one) => (slug === undefined || one.slug === slug) && canTellCatalogue(one),
  )
  if (asked.length === 0)
    throw new CommandError(
      slug === undefined
        ? 'No active connection tells what its provider sells.'
        : `${slug} is not active, or its provider does not tell what it sells.`,
    )
  const results: { connection: string; products?: number; differences?: number; message?: string }[] = []
  for (const connection of asked)
    results.push({ connection: connection.slug, ...(await syncConnection(app, connection)) })
  const lines = results.map(({ connection, products, differences, message }) =>
    message === undefined
      ? `${connection} sells ${products} products; ${differences} new differences.`
      : `${connection} could not be read: ${message}`,
  )
  if (results.some(({ differences = 0 }) => differences > 0))
    lines.push('`npx kusanya bills differences list --state waiting` shows them.')
  return { shown: results, text: lines }
}

function addDifferences(bills: Command, terminal: Terminal): void {
  const differences = bills
    .command('differences')
    .description('differences between providers and our offers, to approve')
  addListCommand(differences, terminal, differenceList)

  // The operator is known by the name of the account at the computer.
  const actor = () => operator(null, { name: userInfo().username })
  addActionCommand(differences, terminal, approveDifferencesAction, {
    words: APPROVAL,
    help: APPROVE_EXAMPLES,
    read: async (app, given, words) => ({ ...given, approval: await readApproval(app.db, words) }),
    actor,
  })
  addActionCommand(differences, terminal, rejectDifferencesAction, { actor })
}

const APPROVAL = {
  category: chosen('--category <code>', 'for what is new: the category of the service', categories),
  service: typed('--service <type>', 'for what is new: our service, where none or the wrong one is suggested'),
  product: typed('--product <code>', 'and its product with a price of its own'),
  priority: typed('--priority <number>', 'the priority of a new offer', toCount),
}

async function readApproval(
  db: Reader,
  { category, service: service_type, product: code, priority }: Given<typeof APPROVAL>,
): Promise<Approval> {
  if (service_type === undefined) return { priority }
  if (category === undefined) throw new CommandError('Say the --category of the service as well.')
  const { service, product } = await findOffered(db, { category, service_type, code })
  return { service, product, priority }
}

const APPROVE_EXAMPLES = `
Examples:
  $ npx kusanya bills differences approve 12 13
  $ npx kusanya bills differences approve 14 --category electricity --service ikeja_electric_prepaid`

const FLOATS_NOTES = `
Each hour the providers that tell their balance are asked. \`npx kusanya connections threshold\` sets the amount below which a
notice is raised; BILL_FLOAT_HOURS is for how long a float should last at the pace of the last day. What was spent is what
providers say they have taken. \`not counted\` are purchases in other currencies of which they have not said it.`
