import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSchool, type School } from '../../../core/books/receivables/school.ts'
import { openShell } from '../../shell.ts'

let school: School
let folder: string
let contact: string
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  school = await openSchool()
  const fees = await school.bill('+80007000001', '200', { first_name: 'Joan', last_name: 'Nakato', language: 'fr' })
  contact = String(fees.contact)
  await school.payIn('+80007000001', '85', fees.number)
  await school.bill('+80007000002', '70', { currency: 'UGX' })
  await school.payIn('+80007000003', '40', 'fees')
  folder = await mkdtemp(join(tmpdir(), 'statements-'))
  const { DATABASE_URL, DATA_DIR } = school.shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, LOG_LEVEL: 'silent' })
})
afterAll(async () => {
  await school.close()
  await rm(folder, { recursive: true })
})

const days = ['--from', '2030-01-01', '--to', '2030-01-31']

describe('kusanya contacts statement', () => {
  it('prints the statement as CSV, and as JSON', async () => {
    const { code, out } = await kusanya(['contacts', 'statement', contact, ...days])
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/^time,kind,description,/)])
    expect(out).toMatch(/Closing balance,.*115\.0000,BXC/)
    const json = JSON.parse((await kusanya(['contacts', 'statement', contact, ...days, '--json'])).out)
    expect(json).toMatchObject({ first_day: '2030-01-01', closing_balance: '115.0000', customer_name: 'Joan Nakato' })
  })

  it('writes a PDF in the language of the customer, or in another one', async () => {
    const file = join(folder, 'statement.pdf')
    const languageOf = async () => /\/Lang \((\w+)\)/.exec((await readFile(file)).toString('latin1'))?.[1]
    const { out } = await kusanya(['contacts', 'statement', contact, file, ...days])
    expect([out, await languageOf()]).toEqual([`The statement was written to ${file}.`, 'fr'])
    await kusanya(['contacts', 'statement', contact, file, ...days, '--language', 'sw'])
    expect(await languageOf()).toBe('sw')
  })

  it('names the faults', async () => {
    const errorOf = async (...args: string[]) => (await kusanya(['contacts', 'statement', ...args])).err
    expect(await errorOf('999')).toBe('There is no contact 999.')
    expect(await errorOf(contact, '--from', '2030-02-01', '--to', '2030-01-01')).toContain('before the first day')
    expect(await errorOf(contact, 'statement.doc')).toContain('It must end in .csv, .xlsx, .pdf.')
    expect(await errorOf(contact, '--language', 'de')).toContain('Allowed choices are en, sw, fr.')
  })
})

describe('kusanya reports', () => {
  it('prints the open amounts by age, of a currency or a tag', async () => {
    const all = await kusanya(['reports', 'ageing'])
    expect([all.code, all.out]).toEqual([0, expect.stringMatching(/Joan Nakato[^\n]*115\.0000/)])
    const ugx = JSON.parse((await kusanya(['reports', 'ageing', '--currency', 'UGX', '--json'])).out)
    expect(ugx.totals).toMatchObject([{ currency: 'UGX', customers: 1, open_amount: '70.0000' }])
    expect(JSON.parse((await kusanya(['reports', 'ageing', '--tag', 'P5', '--json'])).out).rows).toEqual([])
  })

  it('refuses options that a report does not have', async () => {
    const errorOf = async (...args: string[]) => (await kusanya(['reports', ...args])).err
    expect(await errorOf('ageing', '--from', '2030-01-01')).toBe('The report ageing has no --from. It is one of today.')
    expect(await errorOf('unmatched', '--tag', 'P5')).toBe('The report unmatched has no --tag. It is one of today.')
    expect(await errorOf('collections', '--tag', 'P5')).toBe('Only the report ageing has --tag.')
  })

  it('writes a file in another language, as the console does', async () => {
    const file = join(folder, 'ageing.csv')
    const firstLine = async () => (await readFile(file, 'utf8')).split('\n')[0]
    for (const kind of ['ageing', 'unmatched', 'collections']) {
      await kusanya(['reports', kind, file])
      const english = await firstLine()
      expect((await kusanya(['reports', kind, file, '--language', 'sw'])).code).toBe(0)
      expect([kind, await firstLine()]).not.toEqual([kind, english])
    }
    expect((await kusanya(['reports', 'ageing', '--language', 'de'])).err).toContain('Allowed choices are en, sw, fr.')
  })

  it('writes unallocated money to a file', async () => {
    const file = join(folder, 'unmatched.csv')
    expect((await kusanya(['reports', 'unmatched', file])).out).toBe(`The report was written to ${file}.`)
    expect(await readFile(file, 'utf8')).toMatch(/'\+80007000003,.*fees.*,40\.0000,40\.0000/)
  })
})
