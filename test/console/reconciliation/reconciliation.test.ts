import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson, PASSWORD } from '../shop.ts'

let testApp: TestApp
let owner: ReturnType<typeof openBrowser>
let viewer: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService({ jobs: false })
  await addPerson(testApp, { email: 'viewer@shop.example', organization: testApp.organization, permissions: ['view'] })
  owner = openBrowser(url)
  viewer = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
  await viewer.signIn('viewer@shop.example', PASSWORD)
})
afterAll(() => testApp.close())

const STATEMENT = 'remote_id,amount,currency,paid_at\nX1,5,BXC,2030-01-15T11:00:00Z\n'
const fileOf = (text: string) => ({ name: 'may.csv', content: Buffer.from(text).toString('base64') })
const compare = (changes: object = {}, browser = owner) =>
  browser.post('/reconciliations', { connection: 'sandbox', file: fileOf(STATEMENT), ...changes })

describe('a reconciliation in the console', () => {
  it('refuses a file that cannot be read, days in the wrong order, and a viewer, and keeps nothing then', async () => {
    expect((await compare({ file: fileOf('a,b\n1,2\n') })).body).toEqual({
      file: ['There is no column remote_id, only a, b.'],
    })
    expect((await compare({ file: fileOf('remote_id,amount\nX1,5\n') })).body).toEqual({
      file: ['The statement has no dates.'],
    })
    expect((await compare({ from: '2030-01-02', to: '2030-01-01' })).body).toMatchObject({ to: [expect.any(String)] })
    expect((await compare({ connection: 'nothing' })).status).toBe(400)
    expect((await compare({}, viewer)).status).toBe(403)
    expect((await owner.get('/reconciliations')).body).toMatchObject({ count: 0 })
  })

  it('is kept with its file and its author, can be downloaded, and is audited', async () => {
    const { status, body: run } = await compare({ columns: { remote_id: 'remote_id' } })
    expect(status).toBe(201)
    expect(run).toMatchObject({
      ...{ lines: 1, agreeing: 0, differences: 1, open: 1, file_name: 'may.csv' },
      file_sha256: createHash('sha256').update(STATEMENT).digest('hex'),
    })
    const { body: list } = await viewer.get(`/reconciliations/${run.id}/findings`)
    expect(list.results).toMatchObject([{ kind: 'missing_in_books', stated_amount: '5.0000', can_ask: true }])
    const url = `/reconciliations/${run.id}/findings/${list.results[0].id}`
    expect((await viewer.post(`${url}/explain`, { note: 'No' })).status).toBe(403)
    expect((await owner.post(`${url}/explain`, { note: '' })).status).toBe(400)
    expect((await owner.post(`${url}/explain`, { note: 'A test' })).status).toBe(200)
    const actions = (await testApp.db<{ action: string }[]>`select action from audit_log`).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['reconcile statement', 'explain difference']))
    const file = await owner.get(`/reconciliations/${run.id}/findings?state=explained`)
    expect(file.body.results).toMatchObject([{ note: 'A test' }])
  })
})

describe('the statement of a simulated network', () => {
  it('can be downloaded; other connections have none', async () => {
    const { body } = await viewer.get('/reconciliations/connections')
    expect(body.results).toContainEqual(expect.objectContaining({ slug: 'sandbox', simulated: true }))
    const { app } = testApp
    await app.simulator!.pay({
      ...{ phonenumber: '+80000000055', amount: parseAmount('70')!, currency: 'BXC', receiver: '424242' },
      needs_validation: false,
    })
    const read = async (slug: string) => (await viewer.open(`/reconciliations/connections/${slug}/statement`)).text()
    expect((await read('sandbox')).split('\r\n')).toEqual([
      expect.stringMatching(/^remote_id,status,amount,/),
      expect.stringMatching(/,successful,70.0000,BXC,\+80000000055,424242,/),
      '',
    ])
    expect(await read('sandbox-mtn')).not.toContain('+800')
    expect((await viewer.get('/reconciliations/connections/mtn/statement')).status).toBe(404)
  })
})

describe('files of the books', () => {
  it('are for those who may view, of their own wallets, with days that exist', async () => {
    const { body: wallets } = await viewer.get('/accounts')
    const url = `/wallets/${wallets.results[0].id}/statement`
    expect((await viewer.get(`${url}?format=doc`)).status).toBe(400)
    expect((await viewer.get(`${url}?format=pdf&from=2030-02-30`)).status).toBe(400)
    expect((await viewer.get('/wallets/999999/statement?format=csv')).status).toBe(404)
    expect((await viewer.get('/reports?kind=collections&by=day')).body).toEqual({
      ...{ from: '2030-01-01', to: '2030-01-15', zone: 'Africa/Kampala', rows: [], totals: [] },
    })
    expect((await viewer.get('/reports?kind=nothing&by=day')).status).toBe(400)
  })
})

describe('the connections of an operator who serves several organizations', () => {
  it('are compared by none of them: a statement lists the money of all', async () => {
    expect((await owner.get('/reconciliations/connections')).body.results).toContainEqual(
      expect.objectContaining({ slug: 'sandbox' }),
    )
    await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Other Shop'))
    expect((await owner.get('/reconciliations/connections')).body).toEqual({ results: [] })
    expect((await compare()).body).toEqual({ connection: ['Your organization has no such connection.'] })
  })
})
