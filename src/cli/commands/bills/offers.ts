import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { offerList } from '../../../actions/lists/bills.ts'
import { operator, runAction } from '../../../actions/run.ts'
import { findBillConnection } from '../../../connections/bill-sellers.ts'
import { addOfferAction, changeOfferAction, removeOfferAction } from '../../../core/bills/actions.ts'
import { type Category, categories } from '../../../core/bills/catalogue.ts'
import { DEFAULT_PRIORITY, describeSale, nameOfOffer, type OfferChange } from '../../../core/bills/offers.ts'
import type { Amount } from '../../../lib/money.ts'
import { addActionCommand } from '../../action-command.ts'
import { jsonOption, toAmount, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** Add the commands about offers: products and costs of each connection (docs/bills.md, "Several providers"). */
export function addOffers(bills: Command, terminal: Terminal): void {
  const offers = bills.command('offers').description('which connection sells what, under which names and at which cost')
  addListCommand(offers, terminal, offerList)
  addAdd(offers, terminal)
  addChange(offers, terminal)

  addActionCommand(offers, terminal, removeOfferAction)
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
        const { price = null, commission_percent = null, min = null, max = null, priority } = readTerms(options)
        const terms = { price, commission_percent, min, max, ...(priority !== undefined && { priority }) }
        const offer = await runAction(app, operator(null), addOfferAction, {
          offered: { category, service_type, code },
          offer: { connection, remote_service, remote_product, ...terms },
        })
        const text = `${connection} sells ${nameOfOffer(offer)} now, as ${remote_service}.`
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
      const offer = await runAction(app, operator(null), changeOfferAction, { id, change })
      printResult(terminal, offer, {
        ...options,
        text: `Changed the offer of ${nameOfOffer(offer)}: ${describeSale(offer)}.`,
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

const ADD_EXAMPLES = `
Examples:
  $ npx kusanya bills offers add electricity ikeja_electric_prepaid --connection vtpass --remote-service ikeja-electric --remote-product prepaid --commission 1.5
  $ npx kusanya bills offers add cabletv dstv --product COMPE36 --connection vtpass --remote-service dstv --remote-product dstv79 --price 15700
  $ npx kusanya bills offers add airtime safaricom_ke --connection reloadly --remote-service 265 --min 10 --max 10000`
