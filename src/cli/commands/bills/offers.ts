import { type Command, InvalidArgumentError } from 'commander'
import { offerList } from '../../../actions/lists/bills.ts'
import { runAction } from '../../../actions/run.ts'
import { findBillConnection } from '../../../connections/bill-sellers.ts'
import { addOfferAction, changeOfferAction, removeOfferAction } from '../../../core/bills/actions.ts'
import { categories } from '../../../core/bills/catalogue.ts'
import { DEFAULT_PRIORITY, describeSale, nameOfOffer, type OfferChange } from '../../../core/bills/offers.ts'
import { addActionCommand } from '../../action-command.ts'
import { toAmountOrNone, toCount } from '../../arguments.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen, type Given, required, typed } from '../../typed.ts'

/** Add the commands about offers: products and costs of each connection (docs/bills.md, "Several providers"). */
export function addOffers(bills: Command, terminal: Terminal): void {
  const offers = bills.command('offers').description('which connection sells what, under which names and at which cost')
  addListCommand(offers, terminal, offerList)
  addAdd(offers, terminal)
  addChange(offers, terminal)

  addActionCommand(offers, terminal, removeOfferAction)
}

const TERMS = {
  price: typed('--price <amount>', "the provider's fixed price, or none", toAmountOrNone),
  commission_percent: typed('--commission <percent>', 'what it gives back to us, or none'),
  min: typed('--min <amount>', 'the smallest amount, or none', toAmountOrNone),
  max: typed('--max <amount>', 'the largest amount, or none', toAmountOrNone),
  priority: typed(
    '--priority <number>',
    `the smallest is bought first, then the cheapest; ${DEFAULT_PRIORITY} unless given`,
    toPriority,
  ),
}

function toPriority(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function addAdd(offers: Command, terminal: Terminal): void {
  addCommand(offers, terminal, {
    name: 'add',
    description: 'add an offer: a connection sells a service or one of its products',
    typed: {
      category: chosen('<category>', 'of the catalogue', categories),
      service_type: typed('<service>', 'its service_type'),
      connection: required(typed('--connection <slug>', 'the account at the provider')),
      remote_service: required(typed('--remote-service <name>', "the provider's name of the service")),
      code: typed('--product <code>', 'a product with a price of its own; without it the service with a free amount'),
      remote_product: typed('--remote-product <name>', "the provider's name of the product"),
      ...TERMS,
    },
    help: ADD_EXAMPLES,
    async run(
      app,
      { category, service_type, code, connection, remote_service, remote_product = null, ...words },
      { actor },
    ) {
      if (!findBillConnection(app, connection))
        throw new CommandError(`There is no connection ${connection} for bills.`)
      const terms = { price: null, commission_percent: null, min: null, max: null, ...readTerms(words) }
      const offer = await runAction(app, actor, addOfferAction, {
        offered: { category, service_type, code },
        offer: { connection, remote_service, remote_product, ...terms },
      })
      return { shown: offer, text: `${connection} sells ${nameOfOffer(offer)} now, as ${remote_service}.` }
    },
  })
}

function addChange(offers: Command, terminal: Terminal): void {
  addCommand(offers, terminal, {
    name: 'change',
    description: 'change the terms of an offer; open purchases keep theirs',
    typed: {
      id: typed('<id>', 'as `bills offers list` shows it', toCount),
      sold: chosen('--sold <on|off>', 'sell it, or not', ['on', 'off']),
      ...TERMS,
    },
    async run(app, { id, sold, ...words }, { actor }) {
      const change: OfferChange = {
        ...readTerms(words),
        ...(sold && { enabled: sold === 'on' }),
        ...(sold === 'on' && { off_sale: null }),
      }
      if (Object.keys(change).length === 0) throw new CommandError('Say what to change, such as --priority 10.')
      const offer = await runAction(app, actor, changeOfferAction, { id, change })
      return { shown: offer, text: `Changed the offer of ${nameOfOffer(offer)}: ${describeSale(offer)}.` }
    },
  })
}

/** Return the terms that are named; `none` is null. */
function readTerms(words: Given<typeof TERMS>): OfferChange {
  const named = Object.entries(words).filter(([, value]) => value !== undefined)
  return Object.fromEntries(named.map(([name, value]) => [name, value === 'none' ? null : value]))
}

const ADD_EXAMPLES = `
Examples:
  $ npx kusanya bills offers add electricity ikeja_electric_prepaid --connection vtpass --remote-service ikeja-electric --remote-product prepaid --commission 1.5
  $ npx kusanya bills offers add cabletv dstv --product COMPE36 --connection vtpass --remote-service dstv --remote-product dstv79 --price 15700
  $ npx kusanya bills offers add airtime safaricom_ke --connection reloadly --remote-service 265 --min 10 --max 10000`
