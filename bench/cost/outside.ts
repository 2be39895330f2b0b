import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_SECRET } from '../../src/simulator/standalone.ts'
import type { BenchService } from '../postgres.ts'
import { settingsOf } from '../postgres.ts'
import { endChild, runCommand, startProgram } from '../processes.ts'

/** The connection to the network outside, and our till there. */
export const CONNECTION = 'outside'
const TILL = '600100'

/** The simulated networks in a process and a database of their own: they are not the product. */
export interface Outside {
  /** How often the network was called, of all verbs. */
  countCalls(): Promise<number>
  close(): Promise<void>
}

/** Starts the simulated networks, and lets the first wallet of the service collect over one of them. */
export async function connectOutside(service: BenchService): Promise<Outside> {
  const folder = await mkdtemp(join(tmpdir(), 'kusanya-bench-outside-'))
  const args = ['networks', 'simulate', '--port', '0', '--data', folder, '--json']
  const callback = ['--callback-url', `${service.url}/api/callbacks/${CONNECTION}`]
  const { child, line } = await startProgram<{ url: string }>([...args, ...callback], {})
  const settings = settingsOf(service.database_url)
  const run = (command: string[], input?: string) => runCommand(['connections', ...command], settings, input)
  const host = ['--host', `api=${line.url}/sandbox`]
  const limits = ['--max-concurrent', '1000', '--max-per-second', '10000']
  await run(
    ['add', 'sandbox', '--slug', CONNECTION, '--environment', 'sandbox', ...host, ...limits, '--secrets-stdin'],
    `secret=${SANDBOX_SECRET}`,
  )
  await run(['places', 'add', CONNECTION, String(service.shops[0]!.account), TILL])
  await run(['resume', CONNECTION])
  return {
    async countCalls() {
      const answer = await fetch(`${line.url}/simulator/doors`)
      const { doors } = (await answer.json()) as { doors: { code: string; calls: Record<string, number> }[] }
      const { calls } = doors.find(({ code }) => code === 'sandbox')!
      return Object.values(calls).reduce((sum, count) => sum + count, 0)
    },
    async close() {
      await endChild(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
