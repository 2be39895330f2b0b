import { afterAll, beforeAll, expect, it } from 'vitest'
import { addCustomers } from '../../core/invoices/customers.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop
const PATH = '/invoices/files'

beforeAll(async () => {
  shop = await openShop()
  const { db, organization } = shop.testApp
  await addCustomers(db, organization, [
    { number: 'P5-017', tags: ['P5'], first_name: 'Amina', last_name: 'Nakato', phone: '+80000000061' },
    { number: 'P5-018', tags: ['P5'], first_name: '=Eve', last_name: 'Other' },
  ])
})
afterAll(() => shop.testApp.close())

const LINES = [
  'Admission no,Phone,Student,Fees,Shift',
  'P5-017,,,100,1',
  ',+80000000062,Joe Soap,"2,000",2',
  'P9-1,,,1,3',
]
const body = (lines: readonly string[], changes: object = {}) => ({
  file_name: 'class.csv',
  content: Buffer.from(lines.join('\n')).toString('base64'),
  currency: 'BXC',
  text: 'Term 1',
  due_date: '30 June 2030',
  ...changes,
})
const count = async () => (await shop.owner.get('/invoices')).body.count

it('invoices from a file are checked first, and made once for each key', async () => {
  const { owner } = shop
  const { status, body: checked } = await owner.post(`${PATH}/check`, body(LINES))
  expect([status, checked]).toMatchObject([
    200,
    {
      ignored_columns: ['Shift'],
      same_file: [],
      all: [{ currency: 'BXC', invoices: 2, total: '2100.0000' }],
      rows: [
        { number: 2, name: 'Amina Nakato', state: 'ready', amount: '100.0000', due_date: '2030-06-30' },
        { number: 3, name: 'Joe Soap', contact: null, state: 'ready', amount: '2000.0000' },
        {
          number: 4,
          state: 'refused',
          problems: [{ column: 'customer_number', message: 'No customer has the number P9-1.' }],
        },
      ],
    },
  ])
  expect(await count()).toBe(0)
  const key = { 'duplicate-check-key': 'one file' }
  const send = () => owner.send('POST', PATH, body(LINES, { duplicates: 'skip', issue: true }), key)
  const one = await send()
  expect([one.status, one.body]).toMatchObject([
    201,
    { source: 'file', name: 'class.csv', rows: 3, refused: 1, made: 2, skipped: 0, finished: expect.any(String) },
  ])
  expect((await send()).body).toEqual(one.body)
  expect(await count()).toBe(2)
  const { body: list } = await owner.get(`/invoices?batch=${one.body.id}&ordering=id`)
  expect(list.results).toMatchObject([
    { number: 'INV-000001', customer_number: 'P5-017' },
    { number: 'INV-000002', customer_name: 'Joe Soap', phonenumber: '+80000000062' },
  ])
  const again = await owner.post(`${PATH}/check`, body(LINES))
  expect(again.body).toMatchObject({ same_file: [{ id: one.body.id }], without_duplicates: [] })
  expect(again.body.rows[0].warnings).toEqual([
    { code: 'same_invoice', invoice: list.results[0].id, number: 'INV-000001' },
  ])
  const other = await owner.send('POST', PATH, body(LINES, { duplicates: 'create', issue: true }), key)
  expect([other.status, other.body.type]).toEqual([409, 'invoicebatch'])
  const skipped = await owner.post(PATH, body(LINES, { duplicates: 'skip', issue: false }))
  expect(skipped.body).toMatchObject({ made: 0, skipped: 2 })
  expect((await shop.audit()).filter((action) => action === 'make invoices from a file')).toHaveLength(2)
})

it('a file without usable rows is refused, and sending one takes the permission to request money', async () => {
  const { owner, viewer } = shop
  const before = await count()
  const refused = await owner.post(PATH, body([LINES[0]!, LINES[3]!], { duplicates: 'skip', issue: false }))
  expect([refused.status, refused.body]).toEqual([400, { file: ['No row of this file can become an invoice.'] }])
  const titles = await owner.post(`${PATH}/check`, body(['Name,Amount', 'x,1']))
  expect(titles.body.file[0]).toContain('There is no column "Customer number".')
  expect((await owner.post(`${PATH}/check`, body(LINES, { currency: 'EUR' }))).status).toBe(400)
  for (const path of [PATH, `${PATH}/check`]) expect((await viewer.post(path, body(LINES))).status).toBe(403)
  expect(await count()).toBe(before)
  for (const kind of ['csv', 'xlsx']) expect((await viewer.open(`${PATH}/template.${kind}`)).status).toBe(200)
})

it('the customers with a tag are saved as a class list', async () => {
  const answer = await shop.viewer.open('/invoices/customers/file?tag=P5&format=csv')
  const text = await answer.text()
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=customers-p5-\d{4}-\d\d-\d\d\.csv$/)
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    expect.stringContaining('customer_number,name,phone_number,currency,invoiced,paid,open,state'),
    expect.stringMatching(/P5-017,Amina Nakato,.*80000000061,BXC,100(\.00)?(00)?,0.*,100.*,unpaid$/),
    expect.stringMatching(/P5-018,"?'=Eve Other"?,.*,none$/),
    expect.stringMatching(/^Total,.*BXC,100/),
  ])
  for (const format of ['xlsx', 'pdf'])
    expect((await shop.viewer.open(`/invoices/customers/file?tag=P5&format=${format}`)).status).toBe(200)
  for (const [language, head, state, total] of [
    ['sw', 'Namba,Jina,Simu,', ',haijalipwa', 'Jumla,'],
    ['fr', 'Numéro,Nom,Téléphone,', ',impayé', 'Total,'],
  ] as const) {
    const file = await shop.viewer.open('/invoices/customers/file?tag=P5&format=csv', { 'accept-language': language })
    const lines = (await file.text()).replace('\ufeff', '').split('\r\n')
    expect(lines[0]).toContain(head)
    expect(lines[1]).toContain(state)
    expect(lines.some((line) => line.startsWith(total))).toBe(true)
  }
})
