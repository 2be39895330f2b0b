import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  const { url } = await testApp.startService({ jobs: false })
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, PUBLIC_URL: 'https://pay.example' })
  const { post } = createApiClient(url, testApp.api_key)
  await post('/api/paymentlinks', { title: 'Fees', currency: 'BXC', amount: '1500', single_use: true })
  await post('/api/paymentlinks', { title: 'Gift', currency: 'BXC', min_amount: '500', max_amount: '5000' })
})
afterAll(() => testApp.close())

it('payment links are listed with their addresses, and closed', async () => {
  const { code, out } = await kusanya(['links', 'list'])
  expect(code).toBe(0)
  expect(out.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
    'id | title | currency | amount | use | state | url',
    expect.stringMatching(
      /^2 \| Gift \| BXC \| 500 to 5,000 \| many times \| active \| https:\/\/pay.example\/pay\/[\w-]{24}$/,
    ),
    expect.stringMatching(/^1 \| Fees \| BXC \| 1,500 \| once \| active \| https:\/\/pay.example\/pay\/[\w-]{24}$/),
  ])
  const closed = await kusanya(['links', 'close', '2'])
  expect([closed.code, closed.out.trim()]).toEqual([0, 'Payment link 2 is closed: it takes no payments.'])
  const [entry] = await testApp.db`select action, object, details from audit_log order by id desc limit 1`
  const details = { by: 'an operator', title: 'Gift', state: 'closed', return_host: null }
  expect(entry).toEqual({ action: 'close payment link', object: 2, details })
  expect(JSON.parse((await kusanya(['links', 'list', '--state', 'closed', '--json'])).out)).toMatchObject([
    { id: 2, state: 'closed', min_amount: '500.0000', url: expect.stringContaining('https://pay.example/pay/') },
  ])
  expect(await kusanya(['links', 'close', '9'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('no payment link 9'),
  })
})
