import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop
const PATH = '/collectionrequests/files'
const LINES = ['Phone,Amount,Shift', '+80000000062,"2,000",1', '12,5,2']

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const body = (changes: object = {}) => ({
  file_name: 'fees.csv',
  content: Buffer.from(LINES.join('\n')).toString('base64'),
  currency: 'BXC',
  reason: 'Term 1',
  ...changes,
})
const count = async () => (await shop.owner.get('/collectionrequests')).body.count

it('requests from a file are checked first, and made once for each key', async () => {
  const { owner } = shop
  const before = await count()
  const checked = await owner.post(`${PATH}/check`, body())
  expect([checked.status, checked.body]).toMatchObject([
    200,
    {
      ignored_columns: ['Shift'],
      same_file: [],
      all: [{ currency: 'BXC', requests: 1, total: '2000.0000' }],
      rows: [
        { number: 2, phone_number: '+80000000062', amount: '2000.0000', state: 'ready' },
        { number: 3, state: 'refused', problems: [{ column: 'phone_number' }] },
      ],
    },
  ])
  expect(await count()).toBe(before)
  const key = { 'duplicate-check-key': 'one file' }
  const send = () => owner.send('POST', PATH, body({ duplicates: 'skip' }), key)
  const one = await send()
  expect([one.status, one.body]).toMatchObject([201, { name: 'fees.csv', rows: 2, refused: 1, made: 1, skipped: 0 }])
  expect((await send()).body).toEqual(one.body)
  expect(await count()).toBe(before + 1)
  const again = await owner.post(`${PATH}/check`, body())
  expect(again.body).toMatchObject({
    same_file: [{ id: one.body.id }],
    without_duplicates: [],
    rows: [{ warnings: [{ code: 'asked_already' }] }, {}],
  })
  const other = await owner.send('POST', PATH, body({ duplicates: 'create' }), key)
  expect([other.status, other.body.type]).toEqual([409, 'requestbatch'])
  expect((await owner.get('/collectionrequests/batches')).body.results).toMatchObject([{ id: one.body.id, made: 1 }])
  expect((await owner.get('/invoices/batches')).body.count).toBe(0)
  expect(await shop.audit()).toContain('make requests from a file')
})

it('a file without rows that can be used is refused, and only who may request money sends one', async () => {
  const { owner, viewer } = shop
  const content = Buffer.from('Phone,Amount\n12,1').toString('base64')
  const refused = await owner.post(PATH, body({ content, duplicates: 'skip' }))
  expect([refused.status, refused.body]).toEqual([400, { file: ['No row can become a request.'] }])
  expect((await owner.post(`${PATH}/check`, body({ currency: 'EUR' }))).status).toBe(400)
  for (const path of [PATH, `${PATH}/check`]) expect((await viewer.post(path, body())).status).toBe(403)
  for (const kind of ['csv', 'xlsx']) expect((await viewer.open(`${PATH}/template.${kind}`)).status).toBe(200)
})
