import { existsSync } from 'node:fs'
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

  it('has the days of the organization, as the statement of a wallet', async () => {
    const [{ time_zone: before } = { time_zone: '' }] = await testApp.db<
      { time_zone: string }[]
    >`select time_zone from organizations`
    await testApp.db`update organizations set time_zone = 'Pacific/Kiritimati'`
    const file = join(folder, 'days.csv')
    const count = async (...days: string[]) =>
      JSON.parse((await kusanya(['statements', 'export', file, ...days, '--json'])).out).count
    const counts = [
      await count('--from', '2030-01-16', '--to', '16/1/2030'),
      await count('--from', '2030-01-15', '--to', '2030-01-15'),
      await count('--to', '2030-01-15T23:59:59Z'),
    ]
    await testApp.db`update organizations set time_zone = ${before}`
    expect(counts).toEqual([4, 0, 4])
  })

  it.skipIf(!existsSync('/dev/full'))('names the file when the disk is full', async () => {
    const { code, err } = await kusanya(['statements', 'export', '/dev/full'])
    expect([code, err]).toEqual([1, expect.stringMatching(/^The file \/dev\/full cannot be written: ENOSPC/)])
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

  it('writes it in another language, with the letterhead', async () => {
    const [wallet] = await testApp.db<{ id: number }[]>`select id from accounts where kind = 'local' limit 1`
    expect((await statement('sw.pdf', wallet!.id, ...days, '--language', 'sw')).code).toBe(0)
    expect((await readFile(join(folder, 'sw.pdf'))).toString('latin1')).toContain('/Lang (sw)')
  })

  it('writes CSV to the standard output without a file, in the time zone of the organization', async () => {
    const [wallet] = await testApp.db<
      { id: number }[]
    >`select id from accounts where kind = 'local' and currency = 'BXC'`
    const { code, out } = await kusanya(['statements', 'wallet', '--account', String(wallet!.id), ...days])
    expect(code).toBe(0)
    const lines: Record<string, string>[] = parse(`${out}\n`, { columns: true })
    expect(lines.map(({ time, balance }) => [time, balance])).toEqual([
      ['2030-01-15T00:00:00+03:00', '0.0000'],
      [expect.stringMatching(/^2030-01-15T/), '100000.0000'],
      ['', '100000.0000'],
    ])
  })

  it('refuses other endings, days that do not exist, and wallets that do not', async () => {
    const [wallet] = await testApp.db<{ id: number }[]>`select id from accounts where kind = 'local' limit 1`
    expect((await statement('w.doc', 1, ...days)).err).toContain('It must end in .csv, .xlsx, .pdf.')
    expect((await statement('w.csv', 1, '--from', '2030-02-30', '--to', '2030-02-30')).err).toContain(
      'It must be a day',
    )
    expect((await statement('w.csv', 999_999, ...days)).err).toBe('There is no wallet 999999.')
    expect((await statement('w.csv', wallet!.id, '--from', '2030-02-02', '--to', '2030-02-01')).err).toContain(
      'It must not be before the first day.',
    )
  })
})

describe('kusanya reports', () => {
  const days = ['--from', '2030-01-15', '--to', '2030-01-15']

  it('prints the sums of the ledger as CSV, and all of them as JSON', async () => {
    const { code, out } = await kusanya(['reports', 'settlements', '--by', 'account', '--currency', 'BXC', ...days])
    expect(code).toBe(0)
    const rows: Record<string, string>[] = parse(`${out}\n`, { columns: true })
    expect(rows.map(({ currency, count, gross, net }) => [currency, count, gross, net])).toEqual([
      ['BXC', '1', '100000.0000', '100000.0000'],
      ['BXC', '1', '100000.0000', '100000.0000'],
    ])
    expect(rows.at(-1)!.account).toBe('Total')
    const json = JSON.parse((await kusanya(['reports', 'settlements', ...days, '--json'])).out)
    expect(json).toMatchObject({ from: '2030-01-15', to: '2030-01-15', zone: 'Africa/Kampala' })
    expect(json.totals.map(({ currency, net }: Record<string, string>) => [currency, net])).toEqual([
      ['BXC', '100000.0000'],
      ['KES', '500000.0000'],
      ['NGN', '5000000.0000'],
      ['UGX', '10000000.0000'],
    ])
  })

  it('takes this month until today without days', async () => {
    const { from, to } = JSON.parse((await kusanya(['reports', 'fees', '--json'])).out)
    expect([from, to.slice(0, 7)]).toEqual([`${to.slice(0, 7)}-01`, from.slice(0, 7)])
  })

  it('writes a file by its ending', async () => {
    for (const [ending, start] of [
      ['csv', '\ufeffday,currency'],
      ['xlsx', 'PK'],
      ['pdf', '%PDF-'],
    ] as const) {
      const file = join(folder, `report.${ending}`)
      const { out } = await kusanya(['reports', 'settlements', file, ...days])
      expect(out).toBe(`The report of 2030-01-15 to 2030-01-15 was written to ${file}.`)
      expect((await readFile(file)).toString().startsWith(start)).toBe(true)
    }
  })

  it('refuses unknown kinds, days in the wrong order, more than a year, and wallets that do not exist', async () => {
    const refused = async (...args: string[]) => {
      const { code, out, err } = await kusanya(['reports', ...args])
      expect([code, out]).toEqual([1, ''])
      return err
    }
    expect(await refused('taxes')).toContain('Allowed choices are collections, payments')
    expect(await refused('fees', '--by', 'year')).toContain('Allowed choices are day, month')
    expect(await refused('fees', 'report.doc')).toContain('It must end in .csv, .xlsx, .pdf.')
    expect(await refused('fees', '--from', '2030-02-02', '--to', '2030-02-01')).toContain('not be before the first day')
    expect(await refused('fees', '--from', '2028-01-01', '--to', '2030-01-01')).toContain('at most 366 days')
    expect(await refused('fees', '--account', '999999')).toBe('There is no wallet 999999.')
    expect(await refused('fees', join(folder, 'no', 'x.csv'))).toMatch(/x\.csv cannot be written/)
  })
})
