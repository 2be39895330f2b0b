import { requestTable } from '../../src/core/collections/collection-request.ts'
import { openRequestTable } from '../../src/core/collections/orders.ts'
import { contactTable } from '../../src/core/contacts/contacts.ts'
import { recordedEvents, reserveEvents } from '../../src/core/events/events.ts'
import { begin, connect, type Tx } from '../../src/db/client.ts'
import { insert } from '../../src/db/table.ts'
import { createBatcher } from '../../src/lib/batches/batch.ts'
import type { Shop } from '../shops.ts'
import { type BareRequest, createBareServer } from './route.ts'

/** The database of the bare route, and the shop whose requests it stores. */
export interface StoringTarget {
  database_url: string
  shop: Shop
}

const MAX_ITEMS = 128
const CONNECTIONS = 10
const DAY_MS = 24 * 3_600_000

/**
 * The bare route with the SQL of creates for new customers: the same rows in the same tables, in batches, each with two
 * round trips. It looks nothing up and refuses nothing: no key, no wallet, no duplicate, no customer who is known.
 */
process.once('message', async ({ database_url, shop }: StoringTarget) => {
  const db = connect(database_url, { connections: CONNECTIONS, application: 'bare' })
  const store = createBatcher<BareRequest, void>({
    async flush(items) {
      await begin(db, async (tx) => {
        const [ids, event_ids] = await Promise.all([
          tx<Omit<DrawnIds, 'event'>[]>`
            select nextval('collection_requests_id_seq') as request, nextval('contacts_id_seq') as contact_id
            from generate_series(1, ${items.length}::integer)`,
          reserveEvents(tx, items.length),
        ])
        const drawn = items.map((item, index) => ({ ...item, ...ids[index]!, event: event_ids[index]! }))
        await writeRows(tx, shop, drawn)
      })
      return items.map(() => ({ ok: true, value: undefined }))
    },
    max_items: MAX_ITEMS,
    mayRetry: () => false,
  })
  process.send!(await createBareServer(store).listen({ host: '127.0.0.1', port: 0 }))
  process.once('SIGTERM', () => process.exit())
})

interface DrawnIds {
  request: number
  contact_id: number
  event: number
}

async function writeRows(
  tx: Tx,
  { organization, author, account }: Shop,
  items: readonly (BareRequest & DrawnIds)[],
): Promise<void> {
  const now = new Date()
  const owner = { organization, author, created: now, modified: now }
  tx.send`${insert(contactTable, items, {
    ...NEW_CONTACT,
    ...owner,
    id: ({ contact_id }) => contact_id,
    phone_number: ({ phonenumber }) => phonenumber,
    metadata: undefined,
    updated_by: undefined,
    due_at: now,
  })}`
  tx.send`${insert(requestTable, items, {
    ...owner,
    id: ({ request }) => request,
    account,
    contact: ({ contact_id }) => contact_id,
    network: 'sandbox',
    connection: 'sandbox',
    expiry_date: new Date(now.getTime() + DAY_MS),
    traceparent: null,
    collection: undefined,
    error_message: undefined,
    updated_by: undefined,
  })}`
  tx.send`${insert(openRequestTable, items, {
    organization,
    account,
    collection_request: ({ request }) => request,
    due_at: now,
  })}`
  const events = items.map(({ event: id, contact, contact_id, phonenumber }) => {
    const data = { ...contact, id: contact_id, organization, author, phone_number: phonenumber }
    return { id, organization, type: 'contact.created' as const, data, author }
  })
  await recordedEvents.write(tx, now, events)
}

const NEW_CONTACT = {
  first_name: 'Anonymous',
  last_name: 'Contact',
  email: null,
  type: 'employee',
  status: 'active',
  phone_is_supported: 'yes',
  phone_is_mm_registered: 'unknown',
  name_on_network: '',
  name_matches_network_status: 'unchecked',
  name_matches_network_score: 0,
  network_name: 'Sandbox Network',
  number: null,
}
