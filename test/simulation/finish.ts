import { readDueWork } from '../../src/core/events/due-work.ts'
import { sql } from '../../src/db/sql.ts'
import { lookFirst } from './actions.ts'
import { finishSales } from './bills.ts'
import { isMoneyUncounted } from './checks/invoice-money.ts'
import { approveWaiting, finishPayouts } from './payments.ts'
import type { ServiceProcess, Simulation } from './simulation.ts'

/** A run that needs more rounds than this never ends. */
const MAX_ROUNDS = 3_000
/** Longer than any lease: SMS are leased for 25 seconds, twice the longest call and a margin. */
const LEASE_S = 30

/** The networks' state of the requests that were still open when all faults ended. */
export interface ExpectedResults {
  /** Requests with a fully paid order and with time left. */
  paid: Set<number>
}

/**
 * End all faults and let everything finish: calls arrive, receivers answer, processes are new and leases run out. The
 * clock advances from one due time to the next, and customers make no further decisions.
 */
export async function finishAll(world: Simulation): Promise<ExpectedResults> {
  const { networks: outside, clock } = world
  world.log('the world turns good')
  await endFaults(world)
  const crew = world.startProcess({ step_per_statement: false })
  for (const straggler of outside.late_orders.splice(0)) outside.deliverLate(straggler)
  const outlook = await readExpectedResults(world)
  for (const notice of outside.callbacks.splice(0)) {
    world.startTask(crew, 'callback', () => world.deliver(crew, notice))
    await runUntilIdle(world)
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await endForgottenOrders(world)
    const work = await readDueWork(world.store.checks)
    if (work.length === 0) {
      if (await settleMoney(world, crew)) continue
      await tidyUp(world, crew)
      return outlook
    }
    const next = Math.min(...work.map(({ due_at }) => due_at.getTime()))
    clock.advance(Math.max(0, Math.ceil((next - clock.now().getTime()) / 1_000)))
    const due = work.filter(({ due_at }) => due_at <= clock.now()).map(({ table }) => table)
    if (await runJobs(world, crew, due)) continue
    // A claim may have done all that there was to do, such as closing orders that are not wanted any more.
    const left = (await readDueWork(world.store.checks)).filter(({ due_at }) => due_at <= clock.now())
    if (left.length < due.length) continue
    world.violations.push(`Due and forgotten: ${due.join(', ')}.`)
    return outlook
  }
  world.violations.push('It never comes to rest.')
  return outlook
}

/** Kill all processes, make networks and receivers healthy, and end what would wait for ever. */
async function endFaults(world: Simulation): Promise<void> {
  const { networks: outside, receivers, clock } = world
  // All at the same time, because one may wait for a lock of another.
  await Promise.all(world.processes.map((crew) => crew.kill()))
  world.processes = []
  world.faults_on = false
  for (const { code } of outside.networks) outside.health.set(code, 'healthy')
  for (const receiver of receivers.all) receiver.behaviour = 'healthy'
  clock.advance(LEASE_S)
  finishSales(world)
  await finishPayouts(world)
  // Turn reminders off: unmatched money would keep one waiting for ever.
  await world.store.observer`update invoices set due_at = null, reminder_days = '{}'`
}

/**
 * End the forgotten orders in the networks when no request is open any more: some are paid late. No callback reports
 * it.
 */
async function endForgottenOrders({ store, networks: outside, random }: Simulation): Promise<void> {
  const [open] = await store.checks<{ count: number }[]>`
    select count(*) from collection_requests where status in ('pending', 'processing_started', 'instructions_sent')`
  if (open!.count > 0) return
  for (const order of outside.orders.values())
    if (order.state === 'pending') {
      if (random.chance(0.5)) outside.pay(order)
      else outside.refuse(order, 'prompt_expired')
    }
  outside.callbacks.length = 0
}

/** Jobs by the table on whose rows they work. */
const JOB_BY_TABLE: Record<string, string> = {
  open_collection_requests: 'collect',
  network_orders: 'network-orders',
  callbacks: 'process-callbacks',
  unassigned_payments: 'assign-payments',
  events: 'deliver-webhooks',
  webhook_retries: 'deliver-webhooks',
  plans: 'start-occurrences',
  sms_messages: 'send-sms-messages',
  acceptance_checks: 'run-acceptance-checks',
  contacts: 'look-up-account-holders',
  payment_recipients: 'send-payments',
  invoices: 'remind-of-invoices',
}

/** Run the jobs of these tables once. Returns whether any has found something due. */
async function runJobs(world: Simulation, crew: ServiceProcess, tables: readonly string[]): Promise<boolean> {
  return runNamed(
    world,
    crew,
    tables.flatMap((table) => JOB_BY_TABLE[table] ?? []),
  )
}

async function runNamed(world: Simulation, crew: ServiceProcess, names: readonly string[]): Promise<boolean> {
  let busy = false
  for (const job of crew.jobs)
    if (names.includes(job.name))
      await runToEnd(world, crew, job.name, async () => {
        await lookFirst(job)
        const rows = await job.claim(job.limit)
        if (rows.length === 0) return
        busy = true
        await job.run(rows)
      })
  return busy
}

/** Find out what money is for, and send back what is too much. Returns whether that was not done yet. */
async function settleMoney(world: Simulation, crew: ServiceProcess): Promise<boolean> {
  const { checks } = world.store
  const planned = sql`select 1 from surplus_returns where problem is null limit 1`
  if (!(await isMoneyUncounted(checks)) && (await checks`${planned}`).length === 0) return false
  world.clock.advance(2)
  await runNamed(world, crew, ['match-money', 'return-surplus'])
  await approveWaiting(world)
  return true
}

/** Tidying goes on piece by piece; it cancels what was made for a webhook just as that was deleted. */
async function tidyUp(world: Simulation, crew: ServiceProcess): Promise<void> {
  while (await runNamed(world, crew, ['run-maintenance']));
}

async function runToEnd(
  world: Simulation,
  crew: ServiceProcess,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  world.startTask(crew, name, work)
  await runUntilIdle(world)
}

/** Continue all running work until it ends. */
async function runUntilIdle(world: Simulation): Promise<void> {
  await world.scheduler.waitUntilIdle()
  while (world.scheduler.countReady() > 0) world.log(await world.scheduler.runNext(world.random))
}

async function readExpectedResults({ store, networks: outside, clock }: Simulation): Promise<ExpectedResults> {
  const open = await store.observer<{ id: number }[]>`
    select id from collection_requests
    where status in ('pending', 'processing_started', 'instructions_sent') and expiry_date > ${clock.now()}`
  const ids = new Set(open.map(({ id }) => id))
  const paid = [...outside.orders.values()].filter(
    ({ request, amount, payment }) => ids.has(request) && payment?.amount === amount,
  )
  return { paid: new Set(paid.map(({ request }) => request)) }
}
