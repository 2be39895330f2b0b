import { runStep } from './actions.ts'
import { checkFinalState } from './checks/final-checks.ts'
import { checkInvariants } from './checks/invariants.ts'
import { finishAll } from './finish.ts'
import { openInvoices } from './invoices/actions.ts'
import { openCustomers } from './invoices/customers.ts'
import { payOverOwnConnection } from './money-actions.ts'
import { createSimulation, type Simulation } from './simulation.ts'
import type { Store } from './store.ts'

export interface RunOptions {
  steps: number
  /** Called for every step, for the run of a single seed. */
  log?(line: string): void
}

/** The result of one seed. `violations` is empty on success. */
export interface RunResult {
  seed: number
  violations: string[]
  /** Counts of what happened. They show a simulation in which nothing happens. */
  counts: Record<string, number>
}

/** Steps between two checks. */
const CHECK_EVERY = 40

/** Run one seed from an empty store to its end, with checks on the way. A run stops at its first violation. */
export async function runSeed(store: Store, seed: number, options: RunOptions): Promise<RunResult> {
  await store.reset()
  const world = createSimulation(store, seed, options.log ?? (() => {}))
  const chance = Math.random
  // The service draws how long it waits before further deliveries, and the driver draws names when it opens
  // connections. One number for all of them: how often the driver draws depends on the runs before.
  const drawn = world.random.draw()
  Math.random = () => drawn
  try {
    await runSteps(world, options.steps)
    return { seed, violations: world.violations, counts: await count(world) }
  } finally {
    Math.random = chance
    await Promise.all(world.processes.map((crew) => crew.kill()))
  }
}

async function runSteps(world: Simulation, steps: number): Promise<void> {
  world.customers = await openCustomers(world.store.observer, world.clock.now(), world.store.shops)
  world.startProcess()
  await openInvoices(world)
  const { random, store, acceptanceUrls: hooks, clock } = world
  for (const shop of store.shops) if (random.chance(0.5)) world.log(await hooks.change(shop, clock.now()))
  payOverOwnConnection(world)
  for (let done = 1; done <= steps; done += 1) {
    await runStep(world)
    if (done % CHECK_EVERY === 0) world.violations.push(...(await checkInvariants(world)))
    if (world.violations.length > 0) return
  }
  const outlook = await finishAll(world)
  world.violations.push(...(await checkInvariants(world)), ...(await checkFinalState(world, outlook)))
}

async function count({
  store,
  networks: outside,
  processes_started: hired,
}: Simulation): Promise<Record<string, number>> {
  const [row] = await store.observer<Record<string, number>[]>`
    select (select count(*) from collection_requests) as requests,
      (select count(*) from collection_requests where status = 'successful') as successful,
      (select count(*) from collection_requests where status = 'failed') as failed,
      (select count(*) from collection_requests where status = 'expired') as expired,
      (select count(*) from collections) as collections,
      (select count(*) from collections where collection_request is null) as unmatched,
      (select count(*) from collections where status = 'reversed') as reversed,
      (select count(*) from unassigned_payments) as unassigned,
      (select count(*) from unassigned_payments where state = 'assigned') as assigned,
      (select count(*) from callbacks where state = 'failed') as impossible,
      (select count(*) from collection_reversals) as reversals_of_parts,
      (select count(*) from acceptance_checks) as questions,
      (select count(*) from collections where status = 'failed') as refused,
      (select count(*) from bill_purchases) as purchases,
      (select count(*) from bill_purchases where status = 'success') as bought,
      (select count(*) from payments) as payments_made,
      (select count(*) from payments where state = 'processed') as paid_out,
      (select count(*) from payout_reversals) as payout_reversals,
      (select count(*) from late_payouts) as late_payouts,
      (select count(*) from invoices) as invoices,
      (select count(*) from invoices where state = 'paid') as invoices_paid,
      (select count(*) from invoices where state = 'void') as invoices_void,
      (select count(*) from allocations) as allocations,
      (select count(*) from allocations where ended is not null) as allocations_ended,
      (select count(*) from allocations where contact is not null) as credits,
      (select count(*) from payments where purpose = 'return') as returns,
      (select count(*) from invoice_requests) as invoice_requests,
      (select count(*) from events) as events,
      (select count(*) from webhook_attempts) as notifications`
  return { ...row!, orders: outside.orders.size, payments: outside.payments.size, processes: hired }
}
