import { z } from 'zod'
import type { Biller } from '../billers/biller.ts'
import { type BillOperations, defineBillProvider } from '../billers/contract.ts'
import type { Seller } from '../core/bills/choose-seller.ts'
import { getMessage } from '../lib/messages/message.ts'
import type { BillConnection } from './connection.ts'

/** Source of the accounts at bill providers. */
export interface BillProviders {
  bill_connections: { list(): readonly BillConnection[] }
  /**
   * Billers that are no connections. The first one sells; the others only answer status queries for earlier purchases.
   */
  billers: readonly Biller[]
}

/** List all accounts at bill providers, including paused ones. */
export function listBillConnections({ bill_connections, billers }: BillProviders): BillConnection[] {
  return [
    ...bill_connections.list(),
    ...billers.map((biller, index) => fromBiller(biller, index === 0 && biller.sells !== false)),
  ]
}

/** The account with this slug, if there is one. */
export function findBillConnection(app: BillProviders, slug: string): BillConnection | undefined {
  return listBillConnections(app).find((one) => one.slug === slug)
}

/** Return true if a provider speaks our own interface, and so sells our catalogue under our names. */
export function hasOurNames({ driver }: BillConnection): boolean {
  return driver.sells_by_our_names === true
}

/** Return the data about active sellers that core needs. */
export function sellersOf(app: BillProviders): Seller[] {
  return listBillConnections(app).flatMap((connection) => (connection.state === 'active' ? [toSeller(connection)] : []))
}

function toSeller(connection: BillConnection): Seller {
  const { slug, organization, priority, driver, is_degraded } = connection
  return {
    slug,
    organization,
    priority,
    is_degraded: is_degraded?.() ?? false,
    // A seller of the settings sells in every country, as before it became a connection.
    has_our_names: hasOurNames(connection),
    countries: connection.from_settings ? null : driver.countries,
  }
}

/** A connection that is no longer configured: it answers nothing about the purchases that are open there. */
export function goneBiller(code: string): BillConnection {
  const answer = async () =>
    ({ outcome: 'unknown', message: getMessage('bills.biller_no_longer', { biller: code }) }) as const
  return fromBiller(
    { code, name: code, in_flight_ms: 0, vend: answer, checkVend: answer, lookUpAccountHolder: answer },
    true,
  )
}

function fromBiller(biller: Biller, sells: boolean): BillConnection {
  const driver = defineBillProvider({
    code: biller.code,
    name: biller.name,
    settings: z.object({}),
    environments: {},
    traits: {
      call_s: 10,
      callbacks: 'none',
      repeat: 'same-answer',
      unseen: 'certain',
      asked_by: 'reference',
      in_flight_s: biller.in_flight_ms / 1_000,
      one_call_at_a_time: false,
    },
    countries: null,
    sells_by_our_names: true,
    open: () => operations,
  })
  const operations: BillOperations = {
    vend: (order) => biller.vend(order),
    vendStatus: (order) => biller.checkVend(order),
    accountHolder: ({ kind, offer, account_number }) =>
      biller.lookUpAccountHolder({
        service_type: offer.remote_service,
        account_number,
        product_code: kind === 'exampin' ? offer.remote_product : null,
      }),
  }
  const { code, name } = biller
  return {
    kind: 'bills',
    slug: code,
    code,
    name,
    driver,
    environment: 'settings',
    organization: null,
    state: sells ? 'active' : 'paused',
    priority: BILLER_PRIORITY,
    callback_secret: '',
    operations,
  }
}

/** After the connections that people have made. */
const BILLER_PRIORITY = 1_000
