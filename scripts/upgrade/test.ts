import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect, type Database } from '../../src/db/client.ts'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { openReceiver } from '../../test/receiver.ts'
import { checkLoad } from '../cluster/check.ts'
import { Load, longestGap } from '../cluster/load.ts'
import { Balancer, NO_ANSWER } from './balancer.ts'
import { openReaders } from './readers.ts'
import { SAMPLE_MIGRATIONS } from './sample-migration.ts'
import { type Place, type Process, runCommand, startProcess } from './service.ts'
import { copyThis, unpackCommit, type Version } from './versions.ts'

const HELP = `Upgrades under load: two processes of an old version behind a balancer, calls at a steady rate, then the migrations of
this version and one more that widens the busiest tables, then one process after the other is replaced, and replaced
again by the old version. Compares what was answered with what is stored.

  npm run upgrade:test -- [options]

  --old <commit>    the old version (HEAD)
  --rate <n>        new collection requests a second; as many reads go beside them (50)
  --seconds <n>     how long the load goes on after each step (8)
  --help

The exit code is 1 when an answered request is lost or doubled, when the books do not balance, when a caller got an error
of the server, or when no request was accepted for longer than 5 seconds.`

/** Maximum time without an accepted request. */
const MAX_GAP_MS = 5_000
/** Deliveries that failed while a process was replaced are tried again after waits of up to minutes. */
const TOLD_TIMEOUT_MS = 120_000

const { values } = parseArgs({
  options: {
    old: { type: 'string', default: 'HEAD' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) print(HELP)
else await main()

interface Step {
  name: string
  begun: number
  seconds: number
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-upgrade-'))
  chmodSync(folder, 0o755)
  for (const name of ['data', 'log', 'service']) mkdirSync(join(folder, name), { mode: 0o755 })
  const server = await startEmbedded({ data_dir: join(folder, 'data') })
  const db = connect(server.url, { connections: 3, application: 'upgrade test' })
  const receiver = await openReceiver()
  try {
    const old_version = unpackCommit(values.old, join(folder, 'old'))
    const new_version = copyThis(join(folder, 'new'), SAMPLE_MIGRATIONS)
    const settings = settingsOf(server, join(folder, 'service'))
    const place = { folder: join(folder, 'log'), settings }
    await upgrade({ db, place, old_version, new_version, receiver })
  } finally {
    await receiver.close()
    await db.end({ timeout: 1 })
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
    rmSync(server.location, { recursive: true, force: true })
  }
}

function settingsOf(
  { url, service_url }: { url: string; service_url: string },
  data_dir: string,
): Record<string, string> {
  return {
    DATABASE_URL: service_url,
    MIGRATION_DATABASE_URL: url,
    DATA_DIR: data_dir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    SANDBOX_API_KEY: `ksy_${randomBytes(24).toString('base64url')}`,
    READS_PER_MINUTE: '1000000',
    WRITES_PER_MINUTE: '1000000',
    DATABASE_CONNECTIONS: '8',
    CONSOLE: 'off',
    KUSANYA_ENV_FILE: 'off',
    LOG_LEVEL: 'warn',
  }
}

interface Parts {
  db: Database
  place: Place
  old_version: Version
  new_version: Version
  receiver: Awaited<ReturnType<typeof openReceiver>>
}

async function upgrade({ db, place, old_version, new_version, receiver }: Parts): Promise<void> {
  const balancer = new Balancer()
  const url = await balancer.listen()
  const fleet = createFleet(balancer, place)
  try {
    await fleet.start(old_version, 'old-1')
    await fleet.start(old_version, 'old-2')
    const api_key = place.settings.SANDBOX_API_KEY!
    await registerWebhook(url, api_key, `${receiver.url}/?skip-cert-verify`)
    const load = new Load({ url, api_key, first: 0 })
    const readers = openReaders(url, api_key, Number(values.rate))
    load.start(Number(values.rate))
    const steps = await takeSteps(fleet, { place, old_version, new_version })
    const report = await load.stop()
    await readers.stop()
    const verdict = await checkLoad(db, report)
    const untold = await waitUntilTold(db, receiver)
    printSteps(steps, report.accepted_at)
    printVerdict({ ...verdict, tries: report.tries, untold, statuses: balancer.statuses, reads: readers.count() })
    const has_errors = [...balancer.statuses.keys()].some((status) => status >= 500 || status === NO_ANSWER)
    const is_good = verdict.lost.length + verdict.doubled.length + verdict.findings.length + untold === 0
    if (!is_good || has_errors || longestGap(report.accepted_at, steps[0]!.begun) > MAX_GAP_MS) process.exitCode = 1
  } finally {
    await fleet.stop()
    await balancer.close()
  }
}

type Fleet = ReturnType<typeof createFleet>

/** The processes behind the balancer, the oldest first. */
function createFleet(balancer: Balancer, place: Place) {
  const running: Process[] = []
  const start = async (version: Version, name: string) => {
    const started = await startProcess(version, name, place)
    running.push(started)
    balancer.add(started.url)
  }
  return {
    start,
    /** Start a process, and stop the oldest one when its calls have ended. */
    async replace(version: Version, name: string) {
      await start(version, name)
      const [first] = running.splice(0, 1)
      await balancer.drain(first!.url)
      await first!.stop()
    },
    stop: () => Promise.all(running.map((one) => one.stop())),
  }
}

/** Migrate and replace the processes, while the load goes on for some seconds after each step. */
async function takeSteps(
  fleet: Fleet,
  { place, old_version, new_version }: Pick<Parts, 'place' | 'old_version' | 'new_version'>,
): Promise<Step[]> {
  const steps: Step[] = []
  const step = async (name: string, work: () => Promise<void>) => {
    const begun = performance.now()
    print(name)
    await work()
    steps.push({ name, begun, seconds: (performance.now() - begun) / 1_000 })
    await sleep(Number(values.seconds) * 1_000)
  }
  await step('both processes are old', async () => {})
  await step('migrate with the new version', async () => {
    const { code, output } = await runCommand(new_version, ['migrate'], place)
    if (code !== 0) throw new Error(output)
  })
  await step('replace the first process', () => fleet.replace(new_version, 'new-1'))
  await step('replace the second process', () => fleet.replace(new_version, 'new-2'))
  await step('go back: replace the first process', () => fleet.replace(old_version, 'old-3'))
  await step('go back: replace the second process', () => fleet.replace(old_version, 'old-4'))
  return steps
}

async function registerWebhook(url: string, api_key: string, target: string): Promise<void> {
  const response = await fetch(`${url}/api/webhooks`, {
    method: 'POST',
    headers: { authorization: `Token ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'collection.received', target }),
  })
  if (response.status !== 201) throw new Error(`The webhook was not made: ${response.status} ${await response.text()}`)
}

/** Wait for the webhook's notifications of all payments. Returns the number of missing ones. */
async function waitUntilTold(db: Database, { received }: Parts['receiver']): Promise<number> {
  const end = performance.now() + TOLD_TIMEOUT_MS
  for (;;) {
    const [row] = await db<{ collections: number }[]>`select count(*) as collections from collections`
    const told = new Set(received.map(({ headers, body }) => headers['webhook-id'] ?? body)).size
    const untold = row!.collections - told
    if (untold <= 0 || performance.now() > end) return untold
    await sleep(200)
  }
}

function printSteps(steps: readonly Step[], accepted_at: readonly number[]): void {
  print('\n| Step | Takes | Requests accepted until the next step | Longest time without one |')
  print('| --- | ---: | ---: | ---: |')
  for (const [index, { name, begun, seconds }] of steps.entries()) {
    const end = steps[index + 1]?.begun ?? Number.POSITIVE_INFINITY
    const within = accepted_at.filter((at) => at >= begun && at < end)
    const gap = longestGap(within, begun)
    print(`| ${name} | ${seconds.toFixed(1)} s | ${within.length} | ${(gap / 1_000).toFixed(2)} s |`)
  }
}

function printVerdict(verdict: {
  answered: number
  lost: number[]
  doubled: number[]
  findings: string[]
  tries: object
  untold: number
  statuses: ReadonlyMap<number, number>
  reads: number
}): void {
  print(`\nanswered ${verdict.answered}, lost ${verdict.lost.length}, doubled ${verdict.doubled.length}`)
  print(
    `tries ${JSON.stringify(verdict.tries)}, reads ${verdict.reads}, payments that no webhook was told of ${verdict.untold}`,
  )
  print(`answers by status ${JSON.stringify(Object.fromEntries(verdict.statuses))} (0: no answer)`)
  print(verdict.findings.length === 0 ? 'the books balance, and no check of the data found anything' : 'WRONG:')
  for (const finding of verdict.findings) print(`  ${finding}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
