import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { type App, buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { addConnection } from '../../src/connections/changes.ts'
import { connectionContext } from '../../src/connections/operate.ts'
import { setConnectionState } from '../../src/core/connections/connections.ts'
import { addPlace } from '../../src/core/connections/places.ts'
import { createAccount, fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin, type Database } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import type { FakeNetworkMessage } from '../fake-networks.ts'
import { type Figure, printProgress, type Result, type ScenarioContext } from '../measurements.ts'
import { type BenchService, settingsOf } from '../postgres.ts'
import { endChild, trackChild } from '../processes.ts'
import type { Shop } from '../shops.ts'

/*
 * Influence of one network or organization on the others. The networks run in a separate process.
 */

/** Number of lanes. Each has its own organization and network. */
export const LANES = 3
/** The one whose network hangs, and the one with the due plans. */
const HANGING = 2
const CROWDED = 1
/** Requests per second in each lane. */
const RATE = 10
/** The p99 of the others while a network hangs, as a factor of that while none does. */
const MAX_SLOWDOWN = 1.5
/** Maximum wait of a single request's prompt, while another organization has all plans due. */
const MAX_WAIT_MS = 2_000
const SINGLE_REQUESTS = 20
const PATIENCE_MS = 120_000

interface Lane {
  shop: Shop
  /** Account in UGX, and the slug of its connection. */
  account: number
  connection: string
}

interface Networks {
  child: ChildProcess
  url: string
  send<Answer>(message: FakeNetworkMessage): Promise<Answer>
}

/** Measure both: a network that hangs, and an organization with many due plans. */
export async function measureFairness(context: ScenarioContext): Promise<Result> {
  const { service, options } = context
  const networks = await startNetworks()
  try {
    const lanes = await openLanes(service, networks.url)
    const hung = await measureHungNetwork(service, networks, lanes, options)
    const crowd = await measureCrowd(service, networks, lanes, options.due)
    return { figures: [...hung.figures, ...crowd.figures], checks: [...hung.checks, ...crowd.checks] }
  } finally {
    await endChild(networks.child)
  }
}

async function startNetworks(): Promise<Networks> {
  const child = trackChild(fork(new URL('../fake-networks.ts', import.meta.url)))
  const [url] = await once(child, 'message')
  return {
    child,
    url: String(url),
    async send<Answer>(message: FakeNetworkMessage) {
      const answer = once(child, 'message')
      child.send(message)
      return (await answer)[0] as Answer
    },
  }
}

/** Give each organization a wallet in UGX, and a connection that carries all its orders. */
async function openLanes({ db, database_url, shops, url }: BenchService, network_url: string): Promise<Lane[]> {
  const config = readConfig({ ...settingsOf(database_url), DATA_DIR: tmpdir(), PORT: new URL(url).port })
  const app = await buildApp(config, pino({ level: 'silent' }))
  const lanes: Lane[] = []
  try {
    for (const [index, shop] of shops.entries())
      lanes.push(await openLane(app, db, shop, `${network_url}/${index}`, index))
  } finally {
    await app.close()
  }
  for (const lane of lanes) await waitForConnection(db, url, lane)
  return lanes
}

async function openLane(app: App, db: Database, shop: Shop, api: string, index: number): Promise<Lane> {
  const now = new Date()
  const connection = `lane-${index}`
  const values = {
    target_environment: 'mtnuganda',
    collection_subscription_key: 'key',
    collection_api_key: 'key',
    collection_api_user: '6d746e2d-6d6f-4d6f-8000-73696d756c61',
  }
  const input = { slug: connection, driver: 'mtn-momo', environment: 'simulated', organization: null, hosts: { api } }
  await begin(db, async (tx) => {
    await addConnection(tx, connectionContext(app), { ...input, values })
    await setConnectionState(tx, now, connection, 'active', { force: true })
    // No other connection may carry the rest.
    await tx`delete from connection_places where connection = 'sandbox-mtn'`
  })
  return openWallet(db, shop, connection, `25677200000${index}`)
}

/** Give an organization a wallet whose orders a connection carries. */
async function openWallet(db: Database, shop: Shop, connection: string, number: string): Promise<Lane> {
  const { organization, author } = shop
  const now = new Date()
  const account = await begin(db, async (tx) => {
    const wallet = { organization, currency: 'UGX', kind: 'local' as const, name: number, author }
    const { id } = await createAccount(tx, now, wallet)
    await fundAccount(tx, now, { account: id, amount: parseAmount('1000000')!, description: 'Funds', author })
    await addPlace(tx, { connection, account: id, number })
    return id
  })
  return { shop, account, connection }
}

/** The service finds out about a new connection within seconds. */
async function waitForConnection(db: Database, url: string, lane: Lane): Promise<void> {
  await waitUntil(`the connection ${lane.connection}`, async () => {
    const id = await ask(url, lane, nextPhone())
    await sleep(500)
    const [order] =
      await db`select 1 from network_orders where collection_request = ${id} and connection = ${lane.connection}`
    return order !== undefined
  })
}

async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`)
    await sleep(10)
  }
}

let phones = 0
function nextPhone(): string {
  phones += 1
  return `25677${String(1_000_000 + phones)}`
}

/** Make a request of a lane, and return its id. */
async function ask(url: string, lane: Lane, phone: string): Promise<number> {
  const { shop, account } = lane
  const answer = await fetch(`${url}/api/collectionrequests`, {
    method: 'POST',
    headers: { authorization: `Token ${shop.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      phonenumber: `+${phone}`,
      amount: '1500',
      currency: 'UGX',
      account,
      send_instructions: true,
    }),
  })
  const body = (await answer.json()) as { id: number }
  if (answer.status === 503) {
    await sleep(100)
    return ask(url, lane, phone)
  }
  if (answer.status !== 201) throw new Error(`A request was answered with ${answer.status}: ${JSON.stringify(body)}`)
  return body.id
}

async function measureHungNetwork(
  service: BenchService,
  networks: Networks,
  lanes: readonly Lane[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Result> {
  const waits: Record<'answering' | 'hanging', number[]> = { answering: [], hanging: [] }
  const duration_s = 2 * seconds
  await loadLanes(service, lanes, seconds)
  for (let round = 1; round <= rounds; round += 1)
    for (const side of ['answering', 'hanging'] as const) {
      printProgress(`fairness, round ${round} of ${rounds}, one network ${side}`)
      await networks.send({ hang: side === 'hanging' ? HANGING : null })
      waits[side].push(...(await loadLanes(service, lanes, duration_s)))
      await giveUp(service.db, lanes[HANGING]!)
    }
  await networks.send({ hang: null })
  const figures = (['answering', 'hanging'] as const).map((side) => ({
    ...toFigure(`paid, one of three networks ${side}`, waits[side]),
    per_second: waits[side].length / (duration_s * rounds),
  }))
  const slowdown = figures[1]!.p99_ms! / figures[0]!.p99_ms!
  return {
    figures,
    checks: [
      {
        claim: `while a network hangs, the p99 of the others is ${slowdown.toFixed(2)} of that before (at most ${MAX_SLOWDOWN})`,
        holds: slowdown <= MAX_SLOWDOWN,
      },
    ],
  }
}

/** Make requests in all lanes, and return the times until success in the lanes that never hang, in ms. */
async function loadLanes({ db, url }: BenchService, lanes: readonly Lane[], seconds: number): Promise<number[]> {
  const open = new Map<number, number>()
  const waits: number[] = []
  const asking: Promise<unknown>[] = []
  const settle = async () => {
    const paid = await db<{ id: number }[]>`
      select id from collection_requests where id = any(${[...open.keys()]}::bigint[]) and status = 'successful'`
    for (const { id } of paid) {
      waits.push(performance.now() - open.get(id)!)
      open.delete(id)
    }
    return asking.length > 0 && open.size === 0
  }
  const start = performance.now()
  for (let tick = 0; tick < RATE * seconds; tick += 1) {
    for (const [index, lane] of lanes.entries()) {
      const asked = performance.now()
      asking.push(ask(url, lane, nextPhone()).then((id) => index !== HANGING && open.set(id, asked)))
    }
    while (performance.now() < start + ((tick + 1) * 1_000) / RATE) {
      await settle()
      await sleep(5)
    }
  }
  await Promise.all(asking)
  await waitUntil('the requests to be paid', settle)
  return waits
}

/** End the work that a hanging network has left, so that the next round begins without it. */
async function giveUp(db: Database, { connection }: Lane): Promise<void> {
  await db`update network_orders set due_at = null where connection = ${connection} and closed is null`
  await db`
    delete from open_collection_requests r using network_orders o
    where o.collection_request = r.collection_request and o.connection = ${connection}`
  await db`update callbacks set due_at = null, state = 'ignored', ended = now() where connection = ${connection} and state = 'waiting'`
}

/**
 * An organization has `due` plans whose dates are all due. Another one makes single requests, over the same network.
 */
async function measureCrowd(
  { db, url }: BenchService,
  networks: Networks,
  lanes: readonly Lane[],
  due: number,
): Promise<Result> {
  const crowded = lanes[CROWDED]!
  const single = await openWallet(db, lanes[0]!.shop, crowded.connection, '256772000009')
  await waitForConnection(db, url, single)
  printProgress(`fairness, ${due.toLocaleString('en')} due plans`)
  await writeDuePlans(db, crowded, due)
  const waits: number[] = []
  for (let count = 0; count < SINGLE_REQUESTS; count += 1) {
    const phone = nextPhone()
    const asked = Date.now()
    await ask(url, single, phone)
    let arrived: number | null = null
    await waitUntil('the prompt of a single request', async () => {
      arrived = (await networks.send<(number | null)[]>({ arrivals: [phone] }))[0]!
      return arrived !== null
    })
    waits.push(arrived! - asked)
    await sleep(250)
  }
  const [left] = await db<{ count: number }[]>`select count(*) as count from plans where due_at <= now()`
  const longest = Math.max(...waits)
  return {
    figures: [toFigure('prompt of a single request beside due plans', waits)],
    checks: [
      {
        claim: `beside ${due.toLocaleString('en')} due plans of another organization a prompt left after at most ${Math.round(longest)} ms (at most ${MAX_WAIT_MS}); ${left!.count.toLocaleString('en')} plans were still due then`,
        holds: longest <= MAX_WAIT_MS && left!.count > 0,
      },
    ],
  }
}

/** Plans that began a year ago, and whose next date was due a minute ago. */
async function writeDuePlans(db: Database, { shop, account, connection }: Lane, due: number): Promise<void> {
  const { organization, author } = shop
  const now = new Date()
  const [year_ago, minute_ago, in_a_year] = [-365 * 86_400, -60, 365 * 86_400].map(
    (seconds) => new Date(now.getTime() + seconds * 1_000),
  ) as [Date, Date, Date]
  await begin(db, async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
        phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
        created, modified, author)
      select ${organization}, 'Anonymous', 'Contact', '+25678' || (1000000 + n), 'employee', 'active', 'yes', 'unknown', '',
        'unchecked', 0, 'MTN MoMo', ${year_ago}, ${year_ago}, ${author}::bigint from generate_series(1, 10000) as n`
    await tx`
      insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, connection, reason,
        metadata, success_message, send_instructions, instructions, status, expiry_date, max_attempts,
        subscription_settings, created, author, modified)
      select ${organization}, 1500, 'UGX', ${account}, c.phone_number, c.id, 'mtn-momo', ${connection}, 'Rent', '{}', '', true,
        'skip', 'expired', ${year_ago}, 3, '{}', ${year_ago}, ${author}::bigint, ${year_ago}
      from (select id, phone_number, row_number() over (order by id) as n from contacts
        where organization = ${organization} and phone_number like '+25678%') c
      join generate_series(1, ${due}::integer) as d on c.n = 1 + d % 10000`
    await tx`
      insert into plans (organization, collection_request, start_date, end_date, weekdays, months, frequencies, expires_after_s, due_at)
      select organization, id, ${year_ago}, ${in_a_year}, '{}', '{}', '{monthly}', 172800, ${minute_ago}
      from collection_requests where organization = ${organization} and created = ${year_ago}`
    await tx`insert into occurrences select id, ${year_ago}, collection_request from plans where due_at = ${minute_ago}`
  })
  await db`analyze plans, collection_requests, occurrences`
}

function toFigure(name: string, waits: readonly number[]): Figure {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? null
  return { name, per_second: 0, p50_ms: at(0.5), p99_ms: at(0.99), errors: 0 }
}
