import { OWN_PHONE } from './networks.ts'
import type { ServiceProcess, Simulation } from './simulation.ts'

/** A narrow simulation uses only the first of each, so all processes compete for the same rows. */
const PHONES = ['+80010000001', '+80020000001', '+80030000001', OWN_PHONE, '+80020000002']
const AMOUNTS = ['100', '250.5', '1000']
const FEW_PHONES = [...PHONES.slice(0, 2), OWN_PHONE]
const FEW_AMOUNTS = AMOUNTS.slice(0, 1)
/** A till without an account, unless a run gives it one. */
export const UNKNOWN_TILL = '999'
/** More simultaneous work finds nothing new. */
const MAX_TASKS = 8

export function pickShop({ random, store, few_choices: narrow }: Simulation): Simulation['store']['shops'][number] {
  return narrow ? store.shops[0]! : random.pick(store.shops)
}

export function pickPhone({ random, few_choices: narrow }: Simulation): string {
  return random.pick(narrow ? FEW_PHONES : PHONES)
}

export function pickAmount({ random, few_choices: narrow }: Simulation): string {
  return random.pick(narrow ? FEW_AMOUNTS : AMOUNTS)
}

export function pickProcess(world: Simulation): ServiceProcess | undefined {
  const free = world.processes.filter((crew) => crew.running_tasks < MAX_TASKS)
  return free.length === 0 ? undefined : world.random.pick(free)
}
