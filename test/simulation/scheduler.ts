import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Random } from './random.ts'

/** A process of the service. It can be killed at every gate. */
export interface Actor {
  name: string
  dead: boolean
}

/** A step that may run next: its actor waits at a gate. */
interface WaitingStep {
  actor: Actor
  label: string
  /** Its position, which depends on its work only, so the order of two answers makes no difference. */
  position: [work: number, step: number]
  /** Tickets of one lane run in order, one at a time, such as the statements of one transaction. */
  sequence: object
  run(): Promise<unknown>
}

/**
 * Run one waiting step at a time, chosen by the seed. So many processes run at once, and the same seed gives the same
 * run. A step runs until it ends or waits for a lock of the database.
 */
export interface Scheduler {
  /**
   * Wait for its turn and then do the work. When the actor is killed before or meanwhile, this never settles: nothing
   * that the actor wanted to do afterwards happens.
   */
  waitTurn<T>(actor: Actor, label: string, work: () => Promise<T>, lane?: object): Promise<T>
  /** Start a piece of work whose steps pass gates. Never rejects; ends when the work does. */
  start(work: () => Promise<void>): Promise<void>
  /** Return the number of steps that could run now. */
  countReady(): number
  /** Run one step. Returns its description. */
  runNext(random: Random): Promise<string>
  /** Remove the tickets of a killed actor and wait for the end of its transactions. */
  removeActor(actor: Actor, ends: readonly Promise<unknown>[]): Promise<void>
  /** Wait until every piece of work is at a gate, has ended, or waits for a lock. */
  waitUntilIdle(): Promise<void>
  /** Return the number of transactions that wait for a lock of the database. */
  countBlocked(): number
}

/** After this many turns of the event loop a program that needs no answer from outside has come to its next gate. */
const EVENT_LOOP_TURNS = 4
/** An answer that takes longer than this may be one that waits for a lock. */
const LOCK_CHECK_AFTER_MS = 4

/** @param countLockWaits how many connections of the simulated processes wait for a lock */
export function createScheduler(countLockWaits: () => Promise<number>): Scheduler {
  let tickets: WaitingStep[] = []
  const under_way = new Set<Promise<unknown>>()
  const busy = new Set<object>()
  const context = new AsyncLocalStorage<{ work: number; steps: number }>()
  let works = 0

  const ready = () => firstOfEachSequence(tickets, busy)

  function track(work: Promise<unknown>, lane: object): void {
    busy.add(lane)
    const end = work.then(
      () => {},
      () => {},
    )
    const tracked = end.then(() => {
      under_way.delete(tracked)
      busy.delete(lane)
    })
    under_way.add(tracked)
  }

  async function settle(): Promise<void> {
    await drainEventLoop()
    while (under_way.size > 0) {
      const before = under_way.size
      const quick = await Promise.race([...under_way, sleep(LOCK_CHECK_AFTER_MS, 'slow')])
      if (under_way.size === before && quick === 'slow' && (await countLockWaits()) === under_way.size) break
      await drainEventLoop()
    }
    await drainEventLoop()
  }

  return {
    waitTurn: (actor, label, work, lane = {}) =>
      new Promise((resolve, reject) => {
        if (actor.dead) return
        const pass = () => {
          const done = work()
          done.then(
            (result) => actor.dead || resolve(result),
            (error) => actor.dead || reject(error),
          )
          return done
        }
        const { work: piece, steps } = context.getStore()!
        context.getStore()!.steps += 1
        tickets.push({ actor, label, position: [piece, steps], sequence: lane, run: pass })
      }),
    start(work) {
      works += 1
      return context.run({ work: works, steps: 0 }, work)
    },
    countReady: () => ready().length,
    countBlocked: () => under_way.size,
    waitUntilIdle: settle,
    async runNext(random) {
      const ticket = random.pick(ready())
      tickets = tickets.filter((other) => other !== ticket)
      track(ticket.run(), ticket.sequence)
      await settle()
      return `${ticket.actor.name} ${ticket.label}`
    },
    async removeActor(actor, ends) {
      tickets = tickets.filter((ticket) => ticket.actor !== actor)
      for (const end of ends) track(end, {})
      await settle()
    },
  }
}

/** The tickets that may pass next: of each lane that is not busy the one that was drawn first. */
function firstOfEachSequence(tickets: WaitingStep[], busy: ReadonlySet<object>): WaitingStep[] {
  const lanes = new Set<object>(busy)
  tickets.sort((a, b) => a.position[0] - b.position[0] || a.position[1] - b.position[1])
  return tickets.filter((ticket) => {
    if (lanes.has(ticket.sequence)) return false
    lanes.add(ticket.sequence)
    return true
  })
}

/** Let the event loop turn until a program that needs no answer from outside has come to its next gate. */
async function drainEventLoop(): Promise<void> {
  for (let turns = 0; turns < EVENT_LOOP_TURNS; turns += 1) await turn()
}
