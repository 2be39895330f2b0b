import { networkFor, type Payment } from '../networks.ts'
import { type Desk, pickAskedInvoice, pickInvoice } from './desk.ts'

/** Forms in which payers type the number of an invoice: each is valid. */
const FORMS = [
  (digits: string) => `INV-${digits.padStart(6, '0')}`,
  (digits: string) => `inv ${digits}`,
  (digits: string) => `Invoice No ${digits}`,
  (digits: string) => `INV${digits}`,
]
/** Wrong texts of payers. */
const WRONG = ['INV-987654', 'fees', 'STU', 'INV-', '12 children', 'STU-0099', '']

/**
 * A payer sends money to the till of a shop and types a number: of an invoice or a customer, readable or not; all, a part or
 * more than is open, from a phone that pays for the customer or from another one.
 */
export async function payToTill(desk: Desk): Promise<Payment> {
  const { random, customers, networks, receivers } = desk
  // Money for an invoice whose request is open may come twice.
  const invoice = (random.chance(0.4) && (await pickAskedInvoice(desk))) || (await pickInvoice(desk))
  const customer = customers.find(({ contact }) => contact === invoice?.contact) ?? random.pick(customers)
  const { shop, number } = customer
  const phonenumber = random.chance(0.8) ? random.pick(customer.phones) : random.pick(random.pick(customers).phones)
  const network = networkFor(networks.networks, phonenumber, shop.organization).slug
  const open = invoice && invoice.open > 0n ? invoice.open : 1_000_000n
  const digits = String(invoice?.number ?? random.between(1, 3))
  const reference = random.weighted([
    [6, random.pick(FORMS)(digits)],
    [3, random.pick([number, number.toLowerCase().replace('-', ' '), digits])],
    [1, `${random.pick(FORMS)(digits)}, ${random.pick(FORMS)(String(random.between(1, 3)))}`],
    [2, random.pick(WRONG)],
    [2, null],
  ])
  const amount = random.weighted([
    [5, open],
    [2, open > 400_000n ? 200_000n : open],
    [2, open + 300_000n],
    [1, 1_000_000n],
  ])
  const { account } = random.pick(shop.wallets)
  const receiver = receivers.get(`${network}:${account}`)!
  return networks.send({ network, phonenumber, currency: 'BXC', order_reference: null, receiver, amount, reference })
}
