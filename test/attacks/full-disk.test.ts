import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProgramRunner, type ProgramRunner, type StartedService } from '../cli/program-runner.ts'
import { createApiClient, eventually } from '../test-app.ts'
import { printFigure } from './figures.ts'

const MEGABYTE = 1_048_576

/*
 * A service on a small disk, which somebody fills. The disk is in memory, and only root may mount one.
 */
const folder = mkdtempSync(join(tmpdir(), 'kusanya-disk-'))
const is_mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=755', 'tmpfs', folder]).status === 0
const reason = is_mounted ? '' : ' (skipped: this user may not mount a small disk)'

let runner: ProgramRunner
let service: StartedService
let shop: ReturnType<typeof createApiClient>

beforeAll(async () => {
  if (!is_mounted) return
  chmodSync(folder, 0o755)
  runner = await openProgramRunner(folder)
  const limits = { READS_PER_MINUTE: '100000', WRITES_PER_MINUTE: '100000' }
  service = await runner.start({ settings: { ...limits, SANDBOX_API_KEY: 'key-of-a-shop-on-a-small-disk' } })
  shop = createApiClient(service.url, 'key-of-a-shop-on-a-small-disk')
})
afterAll(async () => {
  service?.child.kill('SIGTERM')
  await service?.ended
  // The folder itself is the mount, and cannot be removed before it is unmounted.
  await runner?.close().catch(() => {})
  if (is_mounted) spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(!is_mounted)(`a full disk stops writes in words, and nothing else${reason}`, async () => {
  const created: number[] = []
  const write = async () => {
    const { status, body } = await shop.post('/api/collectionrequests', {
      phonenumber: '+80000000109',
      amount: '5',
      currency: 'BXC',
    })
    if (status === 201) created.push(body.id)
    return { status, detail: body.detail }
  }
  expect(await write()).toMatchObject({ status: 201 })
  const written = () => service.output().length
  const before = written()

  fillDisk(40)
  await eventually('the service to see it', async () => ((await write()).status === 503 ? true : undefined))
  const answers = { reads: 0, read: 0, writes: 0, refused: 0 }
  const use = async () => {
    answers.writes += 1
    answers.reads += 1
    const refusal = await write()
    if (refusal.status === 503 && refusal.detail.startsWith('The disk of the service is full.')) answers.refused += 1
    if ((await shop.get(`/api/collectionrequests/${created[0]}`)).status === 200) answers.read += 1
  }
  for (let time = 0; time < 100; time += 1) await use()
  // Now there is no room for anything, and jobs and PostgreSQL go on.
  fillDisk(0)
  for (let time = 0; time < 100; time += 1) await use()
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  for (let time = 0; time < 50; time += 1) await use()
  const lines = service.output().slice(before).split('\n')
  const told = lines.filter((line) => /"event":"(disk_full|database_)/.test(line))
  const { reads, read, writes, refused } = answers
  printFigure(
    'full-disk',
    `${read} of ${reads} reads answered, ${refused} of ${writes} writes refused in words, ${told.length} log lines`,
  )
  expect({ read, refused }).toEqual({ read: reads, refused: writes })
  expect(told.length).toBeLessThanOrEqual(2)
  expect(told[0]).toContain(`"folder":"${join(folder, 'postgresql')}"`)

  rmSync(join(folder, 'filling'))
  await eventually('writes to work again', async () => ((await write()).status === 201 ? true : undefined))
  for (const id of created) expect((await shop.get(`/api/collectionrequests/${id}`)).status).toBe(200)
})

/** Write a file until only so many megabytes are free. */
function fillDisk(megabytes: number): void {
  const file = openSync(join(folder, 'filling'), 'a')
  const block = Buffer.alloc(MEGABYTE / 4)
  const free = () => statfsSync(folder).bavail * statfsSync(folder).bsize
  try {
    while (free() > megabytes * MEGABYTE) writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
