import { AsyncLocalStorage } from 'node:async_hooks'
import type { Actor } from './scheduler.ts'

/** The shortest lease under which a job works on rows. */
const LEASE_MS = 15_000

/** Check that no process touches a row while another process has leased it. */
export interface LeaseChecker {
  violations: string[]
  /** Run a piece of work. Its claims cannot be older than its start. */
  run<T>(work: () => T): T
  /** Make a call that only the process with the lease may make. */
  call<T>(actor: Actor, thing: string, make: () => Promise<T>): Promise<T>
}

export function createLeaseChecker(real: () => Date): LeaseChecker {
  const begun = new AsyncLocalStorage<number>()
  const holders = new Map<string, { actor: Actor; until: number }>()
  const complaints: string[] = []
  return {
    violations: complaints,
    run: (work) => begun.run(real().getTime(), work),
    async call(actor, thing, make) {
      const holder = holders.get(thing)
      if (holder && !holder.actor.dead && real().getTime() < holder.until)
        complaints.push(`${actor.name} works on ${thing}, which ${holder.actor.name} has leased.`)
      const mine = { actor, until: begun.getStore()! + LEASE_MS }
      holders.set(thing, mine)
      try {
        return await make()
      } finally {
        if (holders.get(thing) === mine) holders.delete(thing)
      }
    },
  }
}
