import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson } from '../shop.ts'

let testApp: TestApp
let owner: ReturnType<typeof openBrowser>
let viewer: ReturnType<typeof openBrowser>
let approver: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService({ jobs: false })
  await addPerson(testApp, { email: 'viewer@shop.example', organization: testApp.organization, permissions: ['view'] })
  owner = openBrowser(url)
  viewer = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
  await addPerson(testApp, {
    email: 'approver@shop.example',
    organization: testApp.organization,
    permissions: ['view', 'approve_payments'],
  })
  approver = openBrowser(url)
  await approver.signIn('approver@shop.example', PASSWORD)
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
      lines: 1,
      agreeing: 0,
      differences: 1,
      open: 1,
      file_name: 'may.csv',
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

describe('a payment that only the statement shows', () => {
  it('is entered by one person and recorded by a second one', async () => {
    const text = [
      'Sample Shop',
      'Receipt No.;Paid In;Currency;Completion Time;Status;Other Party Info',
      'ENT1;1 250,00;BXC;15-01-2030 14:30:00;Completed;8000****71 - ANN SAMPLE',
      'ENT2;7;BXC;15-01-2030 14:31:00;Perhaps;80000000072',
    ].join('\n')
    const { status, body: run } = await compare({ file: fileOf(text) })
    expect(status).toBe(201)
    expect(run).toMatchObject({
      zone: 'Africa/Kampala',
      lines: 2,
      differences: 2,
      period_from: '2030-01-15T11:30:00Z',
      sums: [{ currency: 'BXC', stated_received: '1250.0000', booked_received: '0.0000' }],
    })
    const findings = async () => (await owner.get(`/reconciliations/${run.id}/findings`)).body.results
    const [missing, unreadable] = await findings()
    expect(unreadable).toMatchObject({ kind: 'unreadable', line: 4, problem: expect.stringContaining('"Perhaps"') })
    expect(missing).toMatchObject({ can_enter: true, stated_phone: '8000****71', stated_name: 'ANN SAMPLE' })
    const { body: wallets } = await owner.get('/accounts')
    const { id: account } = wallets.results.find(({ currency }: { currency: string }) => currency === 'BXC')
    const balance = async () => (await owner.get(`/accounts/${account}`)).body.balance
    const before = await balance()
    const url = `/reconciliations/${run.id}/findings/${missing.id}`
    expect((await owner.post(`${url}/enter`, { account, note: 'Page 1' })).body).toMatchObject({
      phonenumber: [expect.any(String)],
    })
    expect((await viewer.post(`${url}/enter`, { account, note: 'Page 1' })).status).toBe(403)
    const entry = { account, note: 'Page 1', phonenumber: '+80000000071' }
    expect((await owner.post(`${url}/enter`, entry)).status).toBe(200)
    expect((await owner.post(`${url}/approve`)).status).toBe(403)
    expect(await balance()).toBe(before)

    expect((await approver.post(`${url}/reject`)).status).toBe(200)
    expect((await findings())[0]).toMatchObject({ state: 'open' })
    expect((await owner.post(`${url}/enter`, entry)).status).toBe(200)
    expect((await approver.post(`${url}/approve`)).status).toBe(200)
    expect((await findings())[0]).toMatchObject({ state: 'resolved', collection: expect.any(Number) })
    expect(Number(await balance()) - Number(before)).toBe(1_250)
    expect((await approver.post(`${url}/approve`)).status).toBe(400)
    expect((await compare({ file: fileOf(text) })).body).toMatchObject({ agreeing: 1, differences: 1 })
  })

  it('is not read before a person has named the order of day and month in its dates', async () => {
    const file = fileOf('id,amount,currency,date\nASK1,5,BXC,05/01/2030 10:00\n')
    expect((await compare({ file })).body).toEqual({ dates: [expect.stringContaining('05/01/2030 10:00')] })
    expect((await compare({ file, dates: 'month', time_zone: 'UTC' })).body).toMatchObject({
      zone: 'UTC',
      period_from: '2030-05-01T10:00:00Z',
    })
  })
})

describe('the statement of a simulated network', () => {
  it('can be downloaded; other connections have none', async () => {
    const { body } = await viewer.get('/reconciliations/connections')
    expect(body.results).toContainEqual(expect.objectContaining({ slug: 'sandbox', simulated: true }))
    const { app } = testApp
    await app.simulator!.pay({
      phonenumber: '+80000000055',
      amount: parseAmount('70')!,
      currency: 'BXC',
      receiver: '424242',
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
    expect((await viewer.get('/reports?kind=refunds&by=day')).body).toEqual({
      from: '2030-01-01',
      to: '2030-01-15',
      zone: 'Africa/Kampala',
      rows: [],
      totals: [],
    })
    expect((await viewer.get('/reports?kind=nothing&by=day')).status).toBe(400)
  })

  it('are in the language of the reader', async () => {
    const [run] = (await viewer.get('/reconciliations')).body.results
    const { body: wallets } = await viewer.get('/accounts')
    const paths = [`/wallets/${wallets.results[0].id}/statement`, `/reconciliations/${run.id}/file`]
    const bytesOf = async (path: string, format: string, language: string) => {
      const file = await viewer.open(`${path}?format=${format}`, { 'accept-language': language })
      return new Uint8Array(await file.arrayBuffer())
    }
    const read = async (path: string, language: string) =>
      Object.values(unzipSync(await bytesOf(path, 'xlsx', language)))
        .map((file) => strFromU8(file))
        .join('')
    expect(await read(paths[0]!, 'en')).toContain('Fee of the network')
    expect(await read(paths[0]!, 'fr-CD,fr;q=0.9')).toMatch(/Frais du réseau.*Fuseau horaire/s)
    expect(await read(paths[1]!, 'fr')).toMatch(/Montant \(grand livre\).*absent du grand livre/s)
    expect(strFromU8(await bytesOf(paths[0]!, 'csv', 'fr'))).toMatch(/^Date,Transaction,.*Solde initial/s)
    expect(strFromU8(await bytesOf(paths[0]!, 'csv', 'en'))).toMatch(/^time,transaction,.*Opening balance/s)
    expect((await viewer.send('PUT', '/account/language', { language: 'sw' })).status).toBe(204)
    expect(await read(paths[0]!, 'fr')).toContain('Fedha zilizoingia')
    expect(await read(paths[1]!, 'fr')).toContain('haimo kwenye leja')
  })
})

describe('the connections of an operator who serves several organizations', () => {
  it('are closed to all of them: a statement lists the money of all', async () => {
    expect((await owner.get('/reconciliations/connections')).body.results).toContainEqual(
      expect.objectContaining({ slug: 'sandbox' }),
    )
    await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Other Shop'))
    expect((await owner.get('/reconciliations/connections')).body).toEqual({ results: [] })
    expect((await compare()).body).toEqual({ connection: ['Your organization has no such connection.'] })
  })
})
