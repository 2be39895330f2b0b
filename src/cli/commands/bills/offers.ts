import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { offerList } from '../../../actions/lists/bills.ts'
import type { App } from '../../../app.ts'
import { findBillConnection } from '../../../connections/bill-sellers.ts'
import { type Category, categories } from '../../../core/bills/catalogue.ts'
import {
  addOffer,
  changeOffer,
  DEFAULT_PRIORITY,
  describeSale,
  findOffered,
  type Offer,
  type OfferChange,
  removeOffer,
} from '../../../core/bills/offers.ts'
import { begin, type Tx } from '../../../db/client.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { jsonOption, toAmount, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** Add the commands about offers: products and costs of each connection (docs/bills.md, "Several providers"). */
export function addOffers(bills: Command, terminal: Terminal): void {
  const offers = bills.command('offers').description('which connection sells what, under which names and at which cost')
  addListCommand(offers, terminal, offerList)
  addAdd(offers, terminal)
  addChange(offers, terminal)

  offers
    .command('remove')
    .description('remove an offer; purchases that were made with it go on')
    .argument('<id>', 'as `bills offers list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const offer = await begin(app.db, async (tx) => {
          const removed = await removeOffer(tx, id)
          await recordOffer(tx, app, 'remove bill offer', removed)
          return removed
        })
        printResult(terminal, offer, { ...options, text: `Removed the offer of ${nameOf(offer)}.` })
      }),
    )
}

interface TermOptions {
  price?: Term
  commission?: string
  min?: Term
  max?: Term
  priority?: number
  json?: boolean
}

/** An amount, or null for none. Commander takes null for a missing value, so it is in an object. */
interface Term {
  amount: Amount | null
}

function toTerm(text: string): Term {
  return { amount: text === 'none' ? null : toAmount(text) }
}

function termOptions(): Option[] {
  return [
    new Option('--price <amount>', "the provider's fixed price, or none").argParser(toTerm),
    new Option('--commission <percent>', 'what it gives back to us, or none'),
    new Option('--min <amount>', 'the smallest amount, or none').argParser(toTerm),
    new Option('--max <amount>', 'the largest amount, or none').argParser(toTerm),
    new Option(
      '--priority <number>',
      `the smallest is bought first, then the cheapest; ${DEFAULT_PRIORITY} unless given`,
    ).argParser(toPriority),
  ]
}

function toPriority(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function addAdd(offers: Command, terminal: Terminal): void {
  const command = offers
    .command('add')
    .description('add an offer: a connection sells a service or one of its products')
    .addArgument(new Argument('<category>', 'of the catalogue').choices(categories))
    .argument('<service>', 'its service_type')
    .requiredOption('--connection <slug>', 'the account at the provider')
    .requiredOption('--remote-service <name>', "the provider's name of the service")
    .option('--product <code>', 'a product with a price of its own; without it the service with a free amount')
    .option('--remote-product <name>', "the provider's name of the product")
  for (const option of termOptions()) command.addOption(option)
  command
    .addOption(jsonOption())
    .addHelpText('after', ADD_EXAMPLES)
    .action((category: Category, service_type: string, options: AddOptions) =>
      withApp(terminal, async (app) => {
        const {
          connection,
          remoteService: remote_service,
          remoteProduct: remote_product = null,
          product: code,
        } = options
        if (!findBillConnection(app, connection))
          throw new CommandError(`There is no connection ${connection} for bills.`)
        const offer = await begin(app.db, async (tx) => {
          const { service, product } = await findOffered(tx, { category, service_type, code })
          const { price, commission_percent = null, min, max, priority } = readTerms(options)
          const added = await addOffer(tx, app.clock.now(), {
            ...{ service, product, connection, remote_service, remote_product, commission_percent },
            ...{
              price: price ?? null,
              min: min ?? null,
              max: max ?? null,
              ...(priority !== undefined && { priority }),
            },
          })
          await recordOffer(tx, app, 'add bill offer', added)
          return added
        })
        const text = `${connection} sells ${nameOf(offer)} now, as ${remote_service}.`
        printResult(terminal, offer, { ...options, text })
      }),
    )
}

interface AddOptions extends TermOptions {
  connection: string
  remoteService: string
  remoteProduct?: string
  product?: string
}

function addChange(offers: Command, terminal: Terminal): void {
  const command = offers
    .command('change')
    .description('change the terms of an offer; open purchases keep theirs')
    .argument('<id>', 'as `bills offers list` shows it', toCount)
    .addOption(new Option('--sold <on|off>', 'sell it, or not').choices(['on', 'off']))
  for (const option of termOptions()) command.addOption(option)
  command.addOption(jsonOption()).action((id: number, options: TermOptions & { sold?: 'on' | 'off' }) =>
    withApp(terminal, async (app) => {
      const change = readTerms(options)
      if (options.sold)
        Object.assign(change, { enabled: options.sold === 'on', ...(options.sold === 'on' && { off_sale: null }) })
      if (Object.keys(change).length === 0) throw new CommandError('Say what to change, such as --priority 10.')
      const offer = await begin(app.db, async (tx) => {
        const changed = await changeOffer(tx, app.clock.now(), id, change)
        await recordOffer(tx, app, 'change bill offer', changed)
        return changed
      })
      printResult(terminal, offer, {
        ...options,
        text: `Changed the offer of ${nameOf(offer)}: ${describeSale(offer)}.`,
      })
    }),
  )
}

function readTerms({ price, commission, min, max, priority }: TermOptions): OfferChange {
  return {
    ...(price && { price: price.amount }),
    ...(commission !== undefined && { commission_percent: commission === 'none' ? null : commission }),
    ...(min && { min: min.amount }),
    ...(max && { max: max.amount }),
    ...(priority !== undefined && { priority }),
  }
}

/** Record an operator's change of an offer, which concerns the whole installation. */
async function recordOffer(tx: Tx, app: App, action: string, offer: Offer): Promise<void> {
  const { id, connection, remote_service, remote_product, price, commission_percent, priority, enabled } = offer
  const details = {
    ...{
      offer: id,
      what: nameOf(offer),
      connection,
      remote_service,
      remote_product,
      commission_percent,
      priority,
      enabled,
    },
    price: price === null ? null : displayAmount(price),
  }
  await recordOperatorAction(tx, app, null, { action, details })
}

function nameOf({ category, service_type, product_code, connection }: Offer): string {
  return `${category}/${service_type}${product_code === null ? '' : ` ${product_code}`} at ${connection}`
}

const ADD_EXAMPLES = `
Examples:
  $ npx kusanya bills offers add electricity ikeja_electric_prepaid --connection vtpass --remote-service ikeja-electric --remote-product prepaid --commission 1.5
  $ npx kusanya bills offers add cabletv dstv --product COMPE36 --connection vtpass --remote-service dstv --remote-product dstv79 --price 15700
  $ npx kusanya bills offers add airtime safaricom_ke --connection reloadly --remote-service 265 --min 10 --max 10000`
