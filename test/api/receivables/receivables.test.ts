import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSchool, type School } from '../../core/books/receivables/school.ts'

const PUPIL = '+80006000001'

let school: School
let contact: number
beforeAll(async () => {
  school = await openSchool()
  const fees = await school.bill(PUPIL, '200', { first_name: 'Joan', last_name: 'Nakato' })
  contact = fees.contact
  await school.payIn(PUPIL, '85', fees.number)
  await school.payIn('+80006000002', '40', 'fees')
})
afterAll(() => school.close())

function download(path: string, headers: Record<string, string> = {}) {
  return fetch(school.url + path, { headers: { authorization: `Token ${school.shop.testApp.api_key}`, ...headers } })
}

describe('GET /api/contacts/<id>/statement', () => {
  const path = () => `/api/contacts/${contact}/statement`

  it('has the entries of the days, this month unless given', async () => {
    const { status, body } = await school.api.get(path())
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        contact,
        customer_name: 'Joan Nakato',
        currency: 'BXC',
        first_day: '2030-01-01',
        last_day: '2030-01-15',
        zone: 'Africa/Kampala',
        opening_balance: '0.0000',
        charged_amount: '200.0000',
        credited_amount: '85.0000',
        closing_balance: '115.0000',
        open_amount: '115.0000',
        credit_amount: '0.0000',
      }),
    ])
    expect(body.entries.map(({ kind, balance }: Record<string, string>) => [kind, balance])).toEqual([
      ['invoice', '200.0000'],
      ['payment', '115.0000'],
    ])
    expect((await school.api.get(`${path()}?from=2030-02-01&to=2030-02-28`)).body).toMatchObject({
      opening_balance: '115.0000',
      entries: [],
    })
  })

  it('names what is wrong with the days, the currency, the language and the format', async () => {
    expect((await school.api.get(`${path()}?from=2030-02-30&language=de`)).body).toEqual({
      from: [expect.stringContaining('Enter a valid date')],
      language: [expect.stringContaining('is not a valid choice')],
    })
    expect((await school.api.get(`${path()}?from=2030-02-01&to=2030-01-01`)).body).toEqual({
      to: ['It must not be before the first day.'],
    })
    expect((await school.api.get(`${path()}?format=csv&currency=シリング`)).body).toEqual({
      currency: ['Expected the three letters of a currency, such as UGX.'],
    })
    expect((await school.api.get(`${path()}?format=docx`)).status).toBe(406)
  })

  it('is a PDF, a workbook or CSV by the format or the Accept header', async () => {
    const pdf = await download(`${path()}?format=pdf&language=fr`)
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(pdf.headers.get('content-disposition')).toBe(
      `attachment; filename=statement-of-customer-${contact}-BXC-2030-01-01-2030-01-15.pdf`,
    )
    const bytes = Buffer.from(await pdf.arrayBuffer()).toString('latin1')
    expect([bytes.slice(0, 5), bytes.includes('/Lang (fr)')]).toEqual(['%PDF-', true])
    const workbook = await download(path(), {
      accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    })
    expect(
      Buffer.from(await workbook.arrayBuffer())
        .toString('latin1')
        .slice(0, 2),
    ).toBe('PK')
    const csv = await download(path(), { accept: 'text/csv' })
    expect([csv.headers.get('content-type'), (await csv.text()).split('\r\n')[2]]).toEqual([
      'text/csv; charset=utf-8',
      expect.stringContaining('INV-000001'),
    ])
    expect((await download(path(), { accept: 'image/png' })).status).toBe(406)
  })
})

describe('GET /api/reports', () => {
  it('/ageing has what is open, with totals', async () => {
    const { body } = await school.api.get('/api/reports/ageing')
    expect(body).toMatchObject({
      day: '2030-01-15',
      count: 1,
      rows: [{ contact, not_due_amount: '115.0000', open_amount: '115.0000' }],
      totals: [{ currency: 'BXC', customers: 1, open_amount: '115.0000' }],
    })
    expect((await school.api.get('/api/reports/ageing?tag=P5')).body.rows).toEqual([])
    expect((await school.api.get('/api/reports/ageing?limit=0&offset=-1')).body).toMatchObject({
      limit: [expect.any(String)],
      offset: [expect.any(String)],
    })
  })

  it('/unmatched has unallocated money, with totals', async () => {
    expect((await school.api.get('/api/reports/unmatched')).body).toMatchObject({
      count: 1,
      rows: [{ phonenumber: '+80006000002', reference: 'fees', left_amount: '40.0000', days: 0 }],
      totals: [{ currency: 'BXC', payments: 1, days_0_7_amount: '40.0000', left_amount: '40.0000' }],
    })
  })

  it.each(['ageing', 'unmatched'])('/%s is a file with all rows', async (report) => {
    const csv = await (await download(`/api/reports/${report}?format=csv&limit=1`)).text()
    expect(csv).toContain('Total')
    const pdf = Buffer.from(await (await download(`/api/reports/${report}?format=pdf`)).arrayBuffer())
    expect(pdf.toString('latin1').slice(0, 5)).toBe('%PDF-')
  })
})
