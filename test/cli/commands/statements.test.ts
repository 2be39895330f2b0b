import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let testApp: TestApp
let folder: string
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  folder = await mkdtemp(join(tmpdir(), 'statements-'))
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, LOG_LEVEL: 'silent' })
})
afterAll(async () => {
  await testApp.close()
  await rm(folder, { recursive: true })
})

describe('kusanya statements export', () => {
  it('writes the transactions of a period to a file', async () => {
    const file = join(folder, 'all.csv')
    const { code, out } = await kusanya(['statements', 'export', file, '--from', '2030-01-15', '--to', '2030-01-15'])
    expect([code, out]).toEqual([0, `4 transactions written to ${file}.`])
    const rows: Record<string, string>[] = parse(await readFile(file), { columns: true })
    expect(rows.map((row) => [row.currency, row.amount])).toEqual([
      ['BXC', '100000.0000'],
      ['UGX', '10000000.0000'],
      ['KES', '500000.0000'],
      ['NGN', '5000000.0000'],
    ])
    const later = await kusanya(['statements', 'export', file, '--from', '2030-01-16', '--json'])
    expect(JSON.parse(later.out)).toEqual({ file, count: 0 })
  })

  it('reports wrong dates, and a file that cannot be written', async () => {
    const { err } = await kusanya(['statements', 'export', join(folder, 'x.csv'), '--from', 'soon'])
    expect(err).toBe('--from and --to must be dates such as 2030-01-31 or 2030-01-31T18:00.')
    expect((await kusanya(['statements', 'export', join(folder, 'no', 'x.csv')])).err).toMatch(
      /x\.csv cannot be written/,
    )
  })
})
