import { findLastSegment } from '../../src/core/archive/segments.ts'
import { addOffer } from '../../src/core/bills/offers.ts'
import { getConnection } from '../../src/core/connections/connections.ts'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import type { Tx } from '../../src/db/client.ts'
import { storeConnection } from '../connections/fake-connection.ts'
import { RIGHT_KEY } from '../connections/test-network.ts'
import type { TestApp } from '../test-app.ts'
import { aPayment } from './objects.ts'
import type { Sample } from './samples.ts'

/* Samples of what an operator does for the whole installation, and of what only programs do. */

let _number = 0
const nextNumber = () => {
  _number += 1
  return String(_number).padStart(4, '0')
}

async function aCallback(tx: Tx) {
  const [row] = await tx<{ id: number }[]>`
    insert into callbacks (network, received, headers, body, verified, state, due_at)
    values ('sandbox', now(), '{}', '{}', false, 'failed', null) returning id`
  return { ids: [row!.id] }
}

const offered = { category: 'electricity', service_type: 'ikeja_electric_prepaid', code: undefined } as const
const newOffer = () => ({
  connection: `seller-${nextNumber()}`,
  remote_service: 'power',
  remote_product: null,
  price: null,
  commission_percent: null,
  min: null,
  max: null,
})

async function anOffer(tx: Tx, { clock }: TestApp) {
  const [service] = await tx<{ id: number }[]>`
    select id from catalogue_services where service_type = ${offered.service_type}`
  return { id: (await addOffer(tx, clock.now(), { service: service!.id, product: null, ...newOffer() })).id }
}

async function aConnection(tx: Tx) {
  const slug = `operated-${nextNumber()}`
  await storeConnection(tx, slug)
  return getConnection(tx, slug)
}

const sealed = { table: 'webhooks', key: 'id', column: 'secret', purpose: 'webhook secrets', what: 'webhook secrets' }

async function aSegment(tx: Tx, { clock }: TestApp) {
  const sequence = ((await findLastSegment(tx))?.sequence ?? 0) + 1
  const [oldest, newest, written] = [clock.now(), clock.now(), clock.now()]
  const ids = { first_id: 1, last_id: 1 }
  const counts = { subjects: 1, row_count: 1, bytes: 100 }
  const segment = { sequence, kind: 'sms', manifest_sha256: '0'.repeat(64), ...counts, ...ids, oldest, newest, written }
  return { segment, digests: new Map([[1, '0'.repeat(64)]]) }
}

async function aTestCharge(tx: Tx, { organization, clock }: TestApp) {
  const { id: account } = (await listAccounts(tx, organization)).find(({ currency }) => currency === 'BXC')!
  const network = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' }
  const money = { amount: 10_000n, currency: 'BXC', account, receiver: '1', phonenumber: `+8000009${nextNumber()}` }
  const from = { network, remote_id: `TEST${nextNumber()}`, paid_at: clock.now(), status: 'successful' }
  return { paid: { ...money, ...from, order_reference: null, reference: 'Test of the connection' } }
}

/** Samples of these actions, by name. */
export const operators: Readonly<Record<string, Sample>> = {
  'rotate secrets': { input: { values: 3 } },
  'reseal values': { is_silent: true, input: { column: sealed, after: 0, limit: 1 } },
  'accept secret key': { input: { lost: 'nothing', columns: [] } },
  archive: { prepare: aSegment },
  'record archive run': { is_silent: true, input: { is_whole: true } },
  'record backup': { is_silent: true, input: { folder: '/mnt/backup' } },
  'book test charge': { is_silent: true, prepare: aTestCharge },
  'move clock': { prepare: async (_, { clock }) => ({ to: clock.now() }) },
  'set clock': { is_silent: true, prepare: async (_, { clock }) => ({ to: clock.now() }) },
  'create organization': { is_last: true, prepare: async () => ({ name: `Shop ${nextNumber()}` }) },
  'set exchange rates': { input: { rates: { UGX: 3_600, XXQ: 1 } } },
  'process callbacks': { prepare: aCallback },
  'dismiss callbacks': { input: { reason: 'Entered by hand' }, prepare: aCallback },
  'claim collection': {
    as_person: true,
    async prepare(tx, testApp) {
      const { id } = await aPayment(tx, testApp)
      const [filters] = await tx<Record<string, unknown>[]>`
        select amount, remote_transaction_id, phonenumber from collections where id = ${id}`
      return { filters }
    },
  },
  'add bill offer': { prepare: async () => ({ offered, offer: newOffer() }) },
  'change bill offer': { input: { change: { priority: 7 } }, prepare: anOffer },
  'remove bill offer': { prepare: anOffer },
  'add connection': {
    async prepare(_, { organization }) {
      const slug = `added-${nextNumber()}`
      const values = { short_code: '600000', api_key: RIGHT_KEY }
      return {
        connection: { slug, driver: 'test-network', environment: 'production', organization, hosts: {}, values },
      }
    },
  },
  'change connection': {
    async prepare(tx) {
      const before = await aConnection(tx)
      return { prepared: { before, change: { priority: 7 } }, test: null, changed: { priority: 7 } }
    },
  },
  'test connection': {
    prepare: async (tx) => ({
      row: await aConnection(tx),
      results: [{ name: 'token', outcome: 'failed', message: 'It is wrong.' }],
    }),
  },
}
