import { readDueWork } from '../../src/core/clock.ts'
import { restBiller } from './bills.ts'
import { restPayouts } from './payments.ts'
import type { Crew, World } from './simulation.ts'

/** A run that takes more rounds than this to come to rest never does. */
const MOST_ROUNDS = 3_000
/** Longer than any lease. */
const LEASE_S = 20

/** What the networks knew of the requests that were still open when the world turned good. */
export interface Outlook {
  /** Requests of which an order was paid in full, and which had time left. */
  paid: Set<number>
}

/**
 * Lets the world turn good and everything come to its end: calls arrive, receivers listen, processes are new and leases
 * run out; the clock walks from due moment to due moment, and nobody decides anything any more.
 */
export async function comeToRest(world: World): Promise<Outlook> {
  const { outside, receivers, clock } = world
  world.tell('the world turns good')
  // All at once: one that waits for a lock of another ends with that one.
  await Promise.all(world.crews.map((crew) => crew.kill()))
  world.crews = []
  world.rough = false
  for (const { code } of outside.networks) outside.moods.set(code, 'well')
  for (const receiver of receivers.all) receiver.mood = 'well'
  clock.advance(LEASE_S)
  restBiller(world)
  await restPayouts(world)
  const crew = world.hire({ fine: false })
  for (const straggler of outside.stragglers.splice(0)) outside.arrive(straggler)
  const outlook = await lookOut(world)
  for (const notice of outside.notices.splice(0)) {
    world.start(crew, 'callback', () => world.deliver(crew, notice))
    await runOut(world)
  }
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const work = await readDueWork(world.store.watch)
    if (work.length === 0) {
      await tidyUp(world, crew)
      return outlook
    }
    const next = Math.min(...work.map(({ due_at }) => due_at.getTime()))
    clock.advance(Math.max(0, Math.ceil((next - clock.now().getTime()) / 1_000)))
    const due = work.filter(({ due_at }) => due_at <= clock.now()).map(({ table }) => table)
    if (await runJobs(world, crew, due)) continue
    world.violations.push(`Due and forgotten: ${due.join(', ')}.`)
    return outlook
  }
  world.violations.push('It never comes to rest.')
  return outlook
}

/** Which job works on the rows of which table. */
const JOBS: Record<string, string> = {
  collection_requests: 'collect',
  callbacks: 'read-callbacks',
  webhook_deliveries: 'deliver-webhook',
  plans: 'start-occurrences',
  texts: 'send-texts',
  collection_questions: 'ask-organizations',
  contacts: 'look-up-contacts',
  bill_purchases: 'vend-bills',
  payment_recipients: 'send-payments',
}

/** Runs the jobs of these tables once. Says whether any has found something due. */
async function runJobs(world: World, crew: Crew, tables: readonly string[]): Promise<boolean> {
  return runNamed(
    world,
    crew,
    tables.flatMap((table) => JOBS[table] ?? []),
  )
}

async function runNamed(world: World, crew: Crew, names: readonly string[]): Promise<boolean> {
  let busy = false
  for (const job of crew.jobs)
    if (names.includes(job.name))
      await runTo(world, crew, job.name, async () => {
        const rows = await job.claim(job.limit)
        if (rows.length === 0) return
        busy = true
        await job.run(rows)
      })
  return busy
}

/** Tidying goes on piece by piece; it cancels what was made for a webhook just as that was deleted. */
async function tidyUp(world: World, crew: Crew): Promise<void> {
  while (await runNamed(world, crew, ['tidy-up']));
}

async function runTo(world: World, crew: Crew, name: string, work: () => Promise<void>): Promise<void> {
  world.start(crew, name, work)
  await runOut(world)
}

/** Lets everything that is under way go on until it ends. */
async function runOut(world: World): Promise<void> {
  await world.scheduler.settle()
  while (world.scheduler.waiting() > 0) world.tell(await world.scheduler.step(world.random))
}

async function lookOut({ store, outside, clock }: World): Promise<Outlook> {
  const open = await store.watch<{ id: number }[]>`
    select id from collection_requests
    where status in ('pending', 'processing_started', 'instructions_sent') and expiry_date > ${clock.now()}`
  const ids = new Set(open.map(({ id }) => id))
  const paid = [...outside.orders.values()].filter(
    ({ request, amount, payment }) => ids.has(request) && payment?.amount === amount,
  )
  return { paid: new Set(paid.map(({ request }) => request)) }
}
