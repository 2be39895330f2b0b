import type { App } from '../../../src/app.ts'
import { Refusal } from '../../../src/core/refusals.ts'
import type { Database } from '../../../src/db/client.ts'
import type { SimulatedNetworks } from '../networks.ts'
import type { Random } from '../random.ts'
import type { Customer } from './customers.ts'

/** Functions for the people of a shop and its customers, in one process of the service. */
export interface Desk {
  app: App
  random: Random
  /** Read what people see before they act. Not a connection of the process. */
  observer: Database
  customers: readonly Customer[]
  networks: SimulatedNetworks
  /** The receiver number of each wallet on each network, by `network:account`. */
  receivers: ReadonlyMap<string, string>
}

/** Something that a person does. The service may refuse it. */
export interface Deed {
  name: string
  run(): Promise<unknown>
}

/** Choose what to do; undefined when there is nothing to do it with. */
export type ChooseDeed = (desk: Desk) => Promise<Deed | undefined>

/** Do what a person chose. A refusal changes nothing, and the story goes on. */
export async function unlessRefused(deed: Deed): Promise<void> {
  try {
    await deed.run()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** With what is decided and written. */
export const optionsOf = ({ clock }: App) => ({ now: clock.now(), base_url: 'https://pay.example' })

/** An invoice as people see it in a list. */
export interface ListedInvoice {
  id: number
  contact: number
  number: number
  state: string
  open: bigint
}

/** An invoice with a request that may still be paid. */
export async function pickAskedInvoice({ observer, random, customers }: Desk): Promise<ListedInvoice | undefined> {
  const contacts = customers.map(({ contact }) => contact)
  const found = await observer<ListedInvoice[]>`
    select id, contact, number, state, (total - amount_paid)::numeric(19,4) as open from invoices
    where contact = any(${contacts}::bigint[]) and state = 'issued' and id in (
      select q.invoice from invoice_requests q join collection_requests r on r.id = q.request
      where r.status in ('pending', 'processing_started', 'instructions_sent'))
    order by id`
  return found.length === 0 ? undefined : random.pick(found)
}

/** An issued invoice, the open ones more often. */
export async function pickInvoice({ observer, random, customers }: Desk): Promise<ListedInvoice | undefined> {
  const contacts = customers.map(({ contact }) => contact)
  const found = await observer<ListedInvoice[]>`
    select id, contact, number, state, (total - amount_paid)::numeric(19,4) as open from invoices
    where contact = any(${contacts}::bigint[]) and number is not null order by id`
  if (found.length === 0) return undefined
  const open = found.filter(({ state }) => state === 'issued')
  return random.pick(open.length > 0 && random.chance(0.8) ? open : found)
}

export function customerOf({ customers }: Desk, { contact }: ListedInvoice): Customer {
  return customers.find((one) => one.contact === contact)!
}

export function shopOf(desk: Desk, invoice: ListedInvoice): Customer['shop'] {
  return customerOf(desk, invoice).shop
}
