import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountHolderLookup } from '../../lib/adapter-types.ts'
import type { EventLog } from '../../lib/log-events.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import type { Connection } from '../connection.ts'
import type { Connections } from '../registry.ts'
import { callDriver } from '../tools/call-driver.ts'

/** The parts of the App that look-ups need. */
interface LookupApp {
  connections: Pick<Connections, 'list'>
  log: EventLog
}

/** Number whose holder is to be looked up. */
export interface HolderQuery {
  organization: number
  phone_number: string
  /** The network that serves the number. */
  network_name: string
  contact?: number
}

/** Answer about a holder. `network_name` names another network, which knows the number. */
type HolderAnswer = AccountHolderLookup & { network_name?: string }

/**
 * Ask the network of a number for its holder. If it does not know the number, ask the other networks of the country.
 * @returns undefined if the network has no connection that can be asked
 */
export async function askAccountHolder(app: LookupApp, query: HolderQuery): Promise<HolderAnswer | undefined> {
  const able = app.connections
    .list()
    .filter(
      ({ operations, state, organization }) =>
        operations.accountHolder && state === 'active' && (organization ?? query.organization) === query.organization,
    )
  const connection = able.find(({ name }) => name === query.network_name)
  if (!connection) return undefined
  const answer = await ask(app, connection, query)
  return answer.outcome === 'not_found' ? ((await askOthers(app, able, connection, query)) ?? answer) : answer
}

/** The networks of the same country are asked in turn: the number may have been ported to one of them. */
async function askOthers(app: LookupApp, able: readonly Connection[], first: Connection, query: HolderQuery) {
  const country = readKnownPhone(query.phone_number)?.country
  const others = able.filter(
    (one, index) =>
      one.name !== first.name &&
      one.driver.places.some((place) => place.country === country) &&
      able.findIndex(({ name }) => name === one.name) === index,
  )
  for (const connection of others) {
    const answer = await ask(app, connection, query)
    if (answer.outcome === 'found') return { ...answer, network_name: connection.name }
  }
  return undefined
}

function ask(app: LookupApp, connection: Connection, query: HolderQuery): Promise<AccountHolderLookup> {
  return callDriver({ log: app.log, contact: query.contact }, connection, 'accountHolder', query.phone_number)
}

/** A person waits for the answers. */
const MAX_WAIT_MS = 10_000
const CONCURRENT_LOOK_UPS = 8

/**
 * Look up several holders while a person waits. A number without an answer in time is missing from the result, and its
 * network is not asked any more.
 */
export async function lookUpInTime(
  app: LookupApp,
  queries: readonly HolderQuery[],
  max_wait_ms = MAX_WAIT_MS,
): Promise<Map<string, HolderAnswer>> {
  const answers = new Map<string, HolderAnswer>()
  const open = [...queries]
  const work = async () => {
    for (let query = open.shift(); query; query = open.shift()) {
      const answer = await askAccountHolder(app, query)
      if (answer) answers.set(query.phone_number, answer)
    }
  }
  const timer = new AbortController()
  const late = sleep(max_wait_ms, undefined, { signal: timer.signal }).catch(() => undefined)
  const workers = Array.from({ length: CONCURRENT_LOOK_UPS }, work)
  await Promise.race([Promise.all(workers), late]).finally(() => timer.abort())
  open.length = 0
  return new Map(answers)
}
