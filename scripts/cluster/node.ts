import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyOf, type Program, runningPid, signalAll } from './children.ts'
import { HOST, type Layout, NODES, portsOf } from './layout.ts'

/** Member of the cluster, as Patroni reports it. */
export interface Member {
  name: string
  role: string
  state: string
  timeline?: number
  lag?: number | string
}

const REQUEST_TIMEOUT_MS = 2_000
const STOP_MS = 20_000

/** Node of the database: a Patroni with its PostgreSQL, which may be killed, frozen and restarted. */
export class Node {
  readonly name: string
  readonly number: number
  readonly patroni: Program
  readonly data: string
  /** Folder that may be a separate disk. */
  readonly disk: string
  /** True if its disk can be filled. */
  readonly small_disk: boolean
  readonly #url: string

  constructor(layout: Layout, number: number, patroni: Program) {
    this.name = `node${number}`
    this.number = number
    this.patroni = patroni
    this.small_disk = layout.small_disk === true && number === NODES.length
    this.disk = join(layout.folder, this.name)
    this.data = join(this.disk, 'data')
    this.#url = `http://${HOST}:${portsOf(layout).patroni(number)}`
  }

  start(): void {
    this.patroni.start()
  }

  /** End it as an operator would. */
  async stop(): Promise<void> {
    this.thaw()
    await this.patroni.stop(STOP_MS)
    this.killPostgres()
    await this.#ended()
  }

  /** Kill all its processes at once, as when its machine loses power. It stays off until `start`. */
  async kill(): Promise<void> {
    const postgres = this.#postgres()
    await Promise.all([this.patroni.hold(), signalAll(postgres, 'SIGKILL')])
    await this.#ended()
  }

  /** Kill PostgreSQL. Patroni notices. */
  killPostgres(): void {
    signalAll(this.#postgres(), 'SIGKILL')
  }

  /** Stop all its processes where they are, until `thaw`. */
  freeze(): void {
    // Again until no process is new: one that was just started would go on.
    let stopped: number[] = []
    for (let found = this.#processes(); found.length > stopped.length; found = this.#processes()) {
      signalAll(found, 'SIGSTOP')
      stopped = found
    }
  }

  /** Stop only the processes that send its log to the replicas. */
  freezeSenders(pids: readonly number[]): void {
    signalAll(pids, 'SIGSTOP')
  }

  thaw(): void {
    signalAll(this.#processes(), 'SIGCONT')
  }

  async isLeader(): Promise<boolean> {
    const answer = await fetch(`${this.#url}/primary`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    return answer.ok
  }

  /** List all nodes, as this one knows them. */
  async members(): Promise<Member[]> {
    const answer = await fetch(`${this.#url}/cluster`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    return ((await answer.json()) as { members: Member[] }).members
  }

  /** Ask Patroni for something. @throws Error with its answer if it refuses */
  async ask(method: 'POST' | 'PATCH', path: string, body: object): Promise<void> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    })
    if (!answer.ok) throw new Error(`Patroni answered ${answer.status}: ${await answer.text()}`)
  }

  #postgres(): number[] {
    const pid = runningPid(join(this.data, 'postmaster.pid'))
    return pid === undefined ? [] : familyOf(pid)
  }

  #processes(): number[] {
    return [...(this.patroni.pid === undefined ? [] : familyOf(this.patroni.pid)), ...this.#postgres()]
  }

  /** Wait for the end of a killed process, which may need a moment. */
  async #ended(): Promise<void> {
    while (this.#postgres().length > 0) await sleep(50)
  }
}
