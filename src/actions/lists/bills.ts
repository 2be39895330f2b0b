import { z } from 'zod'
import { listBillConnections } from '../../connections/bill-sellers.ts'
import { describeAccount } from '../../core/bills/account-numbers.ts'
import { categories, listServices, ServiceView } from '../../core/bills/catalogue.ts'
import {
  Difference,
  describeTerms,
  differenceKinds,
  differenceStates,
  listDifferences,
  nameSuggestions,
  ownBillConnections,
} from '../../core/bills/differences.ts'
import { describeSale, listOffers, OfferView } from '../../core/bills/offers.ts'
import { PurchaseView } from '../../core/bills/purchase-view.ts'
import { countPurchases, listPurchases, purchaseStatuses } from '../../core/bills/purchases.ts'
import { nameServices } from '../../core/bills/service-names.ts'
import { choice } from '../../core/fields.ts'
import { exactText } from '../../core/filters.ts'
import type { Reader } from '../../db/client.ts'
import { type ListRequest, list, sliceOf } from './list.ts'

/** The same permission as for buying: a purchase shows its token and pins, which have the value of money. */
const permission = 'pay_bills'
/** Offers and differences decide where each product is bought, so only managers see and decide them. */
const decides = 'manage_organization'

const connection = exactText('Those of one connection.', 'vtpass')

export const serviceList = list({
  name: 'bill services',
  permission,
  filters: {},
  people: { category: choice(categories).optional(), country: exactText('Those of one country.', 'KE') },
  view: ServiceView,
  source: 'statements',
  async read(db, { filters, page }) {
    const { rows, count } = sliceOf(await listServices(db, filters.category, filters.country), page)
    return { rows: rows.map((row) => ({ ...row, account_format: describeAccount(row) })), count }
  },
  console: { path: '/services' },
}).withCommand({
  path: 'bills services',
  description: 'list the services that are sold',
  typed: {
    category: ['--category <code>', 'only one category'],
    country: ['--country <code>', 'only one country, such as KE'],
  },
  limit: null,
  none: 'There are no services. Import a catalogue with `npx kusanya bills catalogue import <file>`.',
  columns: {
    category: 'category',
    'service type': 'service_type',
    name: 'name',
    country: 'country',
    currency: 'currency',
    sold: (row) => (row.enabled ? 'yes' : 'no'),
    account: 'account_format',
    min: 'minimum_amount',
    max: 'maximum_amount',
  },
})

export const purchaseList = list({
  name: 'bill purchases',
  permission,
  filters: {},
  people: {
    status: choice(purchaseStatuses).optional(),
    kind: choice(categories).optional(),
    agent_reference: exactText('The reference of the buyer.', 'TILL-7'),
  },
  view: PurchaseView,
  async read(db, { organization, filters, page }) {
    const wanted = { organization, ...filters }
    const rows = await nameServices(db, await listPurchases(db, wanted, page.limit, page))
    return { rows, count: await countPurchases(db, wanted) }
  },
  console: { path: '/purchases' },
}).withCommand({
  path: 'bills list',
  description: 'list the newest purchases',
  organization: 'all',
  typed: {
    status: ['--status <status>', 'those in one state'],
    kind: ['--kind <kind>', 'only one kind'],
    agent_reference: ['--reference <text>', 'the one with this agentReference'],
  },
  limit: 'how many',
  help: '\nExample:\n  $ npx kusanya bills list --status pending',
  none: 'There are no purchases.',
  columns: {
    id: 'id',
    'bought (UTC)': 'created',
    reference: 'agent_reference',
    service: 'service_name',
    account: 'account_number',
    amount: 'amount',
    status: 'status',
    "biller's message": (row) => row.message ?? row.outcome,
  },
})

/** Return the connections about which a user decides; undefined for all, to an operator. */
async function connectionsOf(db: Reader, { app, organization }: Pick<ListRequest<unknown>, 'app' | 'organization'>) {
  if (organization === undefined) return undefined
  return ownBillConnections(db, listBillConnections(app), organization)
}

export const offerList = list({
  name: 'offers of bill providers',
  permission: decides,
  filters: {},
  people: { connection },
  view: OfferView,
  source: 'statements',
  async read(db, asked) {
    const connections = await connectionsOf(db, asked)
    return sliceOf(await listOffers(db, { ...asked.filters, connections }), asked.page)
  },
  console: { path: '/bill-offers' },
}).withCommand({
  path: 'bills offers list',
  description: 'list the offers, in the order of the catalogue',
  typed: { connection: ['--connection <slug>', 'only one connection'] },
  limit: null,
  none: 'There are no offers. `npx kusanya bills sync` finds what providers sell, `bills offers add` adds an offer.',
  columns: {
    id: 'id',
    service: (row) => `${row.category}/${row.service_type}`,
    product: 'product_code',
    connection: 'connection',
    'remote name': (row) => [row.remote_service, row.remote_product].filter(Boolean).join(' / '),
    price: 'price',
    'commission %': 'commission_percent',
    min: 'min',
    max: 'max',
    priority: 'priority',
    sold: describeSale,
  },
})

/** A difference, and the service that it seems to be: its category, its name, and the code of its product. */
export const ListedDifference = Difference.extend({ suggestion_name: z.array(z.string()).nullable() })

export const differenceList = list({
  name: 'differences of bill providers',
  permission: decides,
  filters: {},
  people: { state: choice(differenceStates).optional(), kind: choice(differenceKinds).optional(), connection },
  view: ListedDifference,
  source: 'statements',
  async read(db, asked) {
    const connections = await connectionsOf(db, asked)
    const { rows, count } = await listDifferences(db, { ...asked.filters, connections }, asked.page)
    return { rows: await nameSuggestions(db, rows), count }
  },
  console: { path: '/bill-differences' },
}).withCommand({
  path: 'bills differences list',
  description: 'list the newest differences',
  typed: {
    connection: ['--connection <slug>', 'only one connection'],
    kind: ['--kind <kind>', 'only one kind'],
    state: ['--state <state>', 'those in one state'],
  },
  limit: 'how many',
  none: 'There are no differences.',
  columns: {
    id: 'id',
    connection: 'connection',
    kind: 'kind',
    sells: (row) => `${row.bill_kind} ${row.country} ${row.currency}`,
    'remote name': (row) => [row.remote_service, row.remote_product].filter(Boolean).join(' / '),
    name: 'name',
    before: (row) => describeTerms(row.before),
    after: (row) => describeTerms(row.after),
    suggestion: 'suggestion',
    state: 'state',
  },
})
