import { pino } from 'pino'
import { z } from 'zod'
import type { Connection } from '../../src/connections/connection.ts'
import { givenProviders } from '../../src/connections/open.ts'
import { asNetwork } from '../../src/connections/providers.ts'
import { openConnection } from '../../src/connections/registry.ts'
import { createTools, openSharedTools, type SharedTools } from '../../src/connections/tools/index.ts'
import type { Database, Reader } from '../../src/db/client.ts'
import type { RawCallback } from '../../src/drivers/raw-callback.ts'
import {
  type DriverTraits,
  defineNetwork,
  type Limits,
  type NetworkOperations,
  type Place,
} from '../../src/networks/contract.ts'
import { sandbox } from '../../src/networks/sandbox.ts'

/** A network of a test: what it can do, and how it differs from an ordinary one. */
export interface FakeNetwork extends Omit<NetworkOperations, 'limits'> {
  code: string
  name: string
  limits: Limits
  payout_limits?: Limits
  /** The phones that it serves; all unless given. */
  phones?: RegExp
  /** The only currency that it serves. */
  currency?: string
  traits?: Partial<DriverTraits>
  instructions?: string
  /** Its connection; named as the network unless given. */
  connection?: Partial<Connection>
}

const ORDINARY_TRAITS: DriverTraits = {
  reference: 'uuid-v4',
  repeat: 'same-answer',
  unseen: 'certain',
  asked_by: 'reference',
  answers: 'in-reply',
  in_flight_s: 5,
  prompt_s: 300,
  call_s: 5,
  callbacks: 'signed',
}

/** A callback as a network sends it. */
export function rawCallback(sent: Partial<RawCallback> & Pick<RawCallback, 'body'>): RawCallback {
  return { method: 'POST', path: '', query: '', headers: {}, address: '127.0.0.1', ...sent }
}

/** An active connection to a network of a test. */
export function fakeConnection(network: FakeNetwork): Connection {
  const { code, name, limits, payout_limits, phones = /^\+/, currency = null, traits, instructions, ...rest } = network
  const { connection, ...operations } = rest
  const place: Place = { country: null, currency, limits, phones, ...(payout_limits && { payout_limits }) }
  const driver = defineNetwork({
    code,
    name,
    settings: z.object({}),
    places: [place],
    traits: { ...ORDINARY_TRAITS, ...traits },
    ...(instructions !== undefined && { instructions }),
    environments: { sandbox: { title: 'Sandbox', live: false, hosts: {} } },
    open: () => operations,
  })
  return {
    slug: code,
    code,
    name,
    driver,
    environment: 'sandbox',
    organization: null,
    state: 'active',
    priority: 100,
    callback_secret: '0'.repeat(32),
    operations,
    places: null,
    ...connection,
  }
}

/** The sandbox's network at this base URL, as the service opens it. */
export function sandboxConnection(options: { url(): string; secret: string; timeout_s?: number }): Connection {
  const driver = { ...sandbox, traits: { ...sandbox.traits, call_s: options.timeout_s ?? sandbox.traits.call_s } }
  return openConnection(
    {
      kind: 'network',
      drivers: [driver],
      createTools: (connection, { traits }) =>
        createTools(toolsWithoutDatabase(), {
          ...connection,
          traits,
          revision: '',
          callback_base: () => 'http://127.0.0.1',
        }),
      finish: asNetwork,
    },
    {
      slug: 'sandbox',
      driver: 'sandbox',
      environment: 'sandbox',
      organization: null,
      state: 'active',
      priority: 1,
      callback_secret: '0'.repeat(32),
      hosts: {
        get api() {
          return options.url()
        },
      },
      settings: { secret: options.secret },
      max_concurrent: 1_000,
      max_per_second: 10_000,
      places: null,
    },
  )
}

/** Shared tools, for networks without tokens. */
export function toolsWithoutDatabase(): SharedTools {
  return openSharedTools({
    db: {} as Database,
    real: () => new Date(),
    log: pino({ level: 'silent' }),
    reportUnavailable: () => {},
    seal: (text) => text,
    unseal: (sealed) => sealed,
  })
}

/** Store a connection of this name, and give it a number that belongs to an account. */
export async function storePlace(db: Reader, place: { connection: string; number: string; account: number }) {
  await storeConnection(db, place.connection)
  await db`
    insert into connection_places (connection, number, account, currency)
    select ${place.connection}, ${place.number}, id, currency from accounts where id = ${place.account}`
}

/** Store a connection of this name to its own network, so that other rows can name it. */
export async function storeConnection(db: Reader, slug: string) {
  await db`
    insert into connections (slug, driver, environment, callback_secret, state, created, modified)
    values (${slug}, ${slug}, 'sandbox', ${'0'.repeat(32)}, 'active', now(), now()) on conflict (slug) do nothing`
}

/** The connections of an App that a test builds by hand. */
export function connectionsOf(networks: readonly Connection[]) {
  const providers = givenProviders({ networks })
  return {
    providers,
    connections: providers.networks,
    sms_connections: providers.sms,
    bill_connections: providers.bills,
  }
}
