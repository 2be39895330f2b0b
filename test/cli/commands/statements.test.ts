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

describe('kusanya statements wallet', () => {
  const statement = (name: string, account: number, ...days: string[]) =>
    kusanya(['statements', 'wallet', join(folder, name), '--account', String(account), ...days])
  const days = ['--from', '2030-01-15', '--to', '2030-01-15']

  it('writes the statement of a wallet, by the ending of the file', async () => {
    const [wallet] = await testApp.db<
      { id: number }[]
    >`select id from accounts where kind = 'local' and currency = 'BXC'`
    expect((await statement('w.csv', wallet!.id, ...days)).out).toBe(
      `The statement was written to ${join(folder, 'w.csv')}.`,
    )
    const lines: Record<string, string>[] = parse(await readFile(join(folder, 'w.csv')), { columns: true, bom: true })
    expect(lines.map(({ description, balance, money_in }) => [description, money_in, balance])).toEqual([
      ['Opening balance', '', '0.0000'],
      [expect.any(String), '100000.0000', '100000.0000'],
      ['Closing balance', '100000.0000', '100000.0000'],
    ])
    expect((await statement('w.pdf', wallet!.id, ...days)).code).toBe(0)
    expect((await readFile(join(folder, 'w.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('refuses other endings, days that do not exist, and wallets that do not', async () => {
    expect((await statement('w.doc', 1, ...days)).err).toBe('The file must end in .csv, .xlsx, .pdf.')
    expect((await statement('w.csv', 1, '--from', '2030-02-30', '--to', '2030-02-30')).err).toContain(
      'It must be a day',
    )
    expect((await statement('w.csv', 999_999, ...days)).err).toBe('There is no wallet 999999.')
    expect((await statement('w.csv', 1, '--from', '2030-02-02', '--to', '2030-02-01')).err).toBe(
      '--from must not be after --to.',
    )
  })
})
