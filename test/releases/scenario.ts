import { generateSync } from 'otplib'
import { openBrowser } from '../console/browser.ts'
import { createApiClient, eventually } from '../test-app.ts'
import type { Clients, Json } from './clients.ts'
import { BUSY_PHONES, NO_SMS_PHONE, REFUSED_PHONE } from './outside.ts'

const PASSWORD = 'correct horse battery'
const PAYS = '+80000000003'
const FAILS = '+80000000001'
const SILENT = '+80000000009'
const OVER_LIMIT = '2000'

/** People and keys of the fixture, for later versions. */
export interface People {
  /** The API key of the second organization. */
  second_key: string
  /** A key that was revoked, and one that may only read. */
  revoked_key: string
  reading_key: string
  /** A person with a second factor, its secret, and a person with a password alone. */
  finance: { email: string; password: string; totp_secret: string }
  owner: { email: string; password: string }
  /** Sign bill purchases: a name and the secret that is sealed in the database. */
  signing: { username: string; secret: string }
}

/** The organization, its people, keys, fees, rules and webhooks. */
export async function setUpOrganization(clients: Clients, url: string, owner_password: string): Promise<People> {
  const { kusanya, read, browser, post, outside } = clients
  const finance = { email: 'finance@demo.example', password: PASSWORD }
  for (const [name, permissions] of [
    ['finance', 'all'],
    ['viewer', 'view'],
  ] as const) {
    const address = ['--name', name, '--email', `${name}@demo.example`]
    await kusanya('users', 'create', ...address, '--organization', '1', '--permissions', permissions)
  }
  const drawn = await kusanya('users', 'password', finance.email, '--generate')
  finance.password = /The password is (\S+)/.exec(drawn)![1]!

  const second = await read<{ id: number }>('organizations', 'create', 'Mama Grace Shop')
  const there = ['--organization', String(second.id)]
  await kusanya('users', 'create', '--name', 'Grace', '--email', 'grace@example.com', ...there, '--permissions', 'all')
  for (const currency of ['BXC', 'UGX']) {
    const { id } = await read<{ id: number }>('accounts', 'create', currency, ...there)
    await kusanya('accounts', 'fund', String(id), '50000')
  }
  const key = async (name: string, ...more: string[]) =>
    read<{ id: number; key: string }>('keys', 'create', '--name', name, ...more)
  const owned = ['--organization', '1', '--user', 'owner@demo.example']
  const revoked = await key('old shop', ...owned)
  await kusanya('keys', 'revoke', String(revoked.id))
  const reading = await key('reports', ...owned, '--read-only', '--expires', '1 year', '--reads-per-minute', '1000000')
  const selling = await key('counter', ...owned, '--permissions', 'view,pay_bills')
  const second_key = (await key('grace', ...there)).key
  const signing = await read<{ secret: string }>('bills', 'users', 'create', 'shop-7', '--key', String(selling.id))

  await kusanya('fees', 'set', '--organization', '1', '--kind', 'payment', '--currency', 'BXC', '--fixed', '5')
  await kusanya('fees', 'set', '--organization', '1', '--kind', 'collection', '--currency', 'BXC', '--percent', '1')
  await kusanya('fees', 'set', '--organization', '1', '--kind', 'bill', '--currency', 'NGN', '--fixed', '10')
  await kusanya('organizations', 'approval', 'set', 'BXC', '1000', '--organization', '1')
  await kusanya('organizations', 'approval', 'set', 'UGX', '1000', ...there)
  await kusanya('accounts', 'create', 'BXC', '--organization', '1', '--kind', 'cross_border', '--name', 'Exports')

  const owner = { email: 'owner@demo.example', password: owner_password }
  await expectSuccess(browser.signIn(owner.email, owner.password))
  await expectSuccess(browser.send('PUT', '/webhook-credentials', { user: 'shop', password: 'open sesame' }))
  await expectSuccess(browser.post('/invitations', { email: 'new@demo.example', permissions: ['view', 'pay_bills'] }))
  const totp_secret = await turnSecondFactorOn(url, finance)

  for (const [event, path] of [
    ['collection.received', '/shop'],
    ['collectionrequest.status.changed', '/shop'],
    ['payment.status.changed', '/shop'],
    ['billpayment.status.changed', '/shop'],
    ['contact.created', '/broken'],
    ['collection.received', '/deleted'],
  ] as const)
    await post('/api/webhooks', { event, target: outside.url + path })
  return {
    second_key,
    revoked_key: revoked.key,
    reading_key: reading.key,
    finance: { ...finance, totp_secret },
    owner,
    signing: { username: 'shop-7', secret: signing.secret },
  }
}

async function turnSecondFactorOn(url: string, person: { email: string; password: string }): Promise<string> {
  const browser = openBrowser(url)
  await expectSuccess(browser.signIn(person.email, person.password))
  const offered = await expectSuccess(browser.post('/account/second-factor', { password: person.password }))
  const secret = (offered.body as { secret: string }).secret
  await expectSuccess(browser.send('PUT', '/account/second-factor', { code: generateSync({ secret }) }))
  return secret
}

/** Wait for an answer of the console and throw unless it is of class 2xx. */
export async function expectSuccess<T extends { status: number; body: unknown }>(answer: Promise<T>): Promise<T> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`The console answered ${status}: ${JSON.stringify(body)}`)
  return answer
}

/** A request for money, from a customer who behaves as the number says. */
export function request(phonenumber: string, more: object = {}) {
  return { phonenumber, amount: '1500', currency: 'BXC', send_instructions: true, ...more }
}

const REQUESTS = '/api/collectionrequests'

/** Collection requests of every end, money without a request, money in suspense, contacts, and one that is erased. */
export async function collect(clients: Clients): Promise<void> {
  const { post, until, kusanya, get } = clients
  const ends: [phone: string, end: string, more?: object][] = [
    [PAYS, 'successful', { first_name: 'Jane', last_name: 'Doe', reason: 'Order 7', metadata: { order: 7 } }],
    ['+80000000106', 'successful', { success_message: 'Thank you, {customer}, for {amount}!' }],
    ['+256770000003', 'successful', { currency: 'UGX', amount: '20000' }],
    ['+254700000003', 'successful', { currency: 'KES', amount: '250.5', send_instructions: false }],
    [FAILS, 'failed'],
    ['+80000000101', 'failed', { max_attempts: 0 }],
    ['+80000000102', 'failed', { max_attempts: 0, instructions: 'skip' }],
    ['+80000000402', 'successful', { first_name: 'Grace', last_name: 'Akello' }],
    ['+80000000401', 'successful'],
    [NO_SMS_PHONE, 'successful'],
  ]
  for (const [phone, end, more] of ends) {
    const { id } = await post(REQUESTS, request(phone, more), { 'duplicate-check-key': `first-${phone}` })
    await until(`${REQUESTS}/${id}`, end)
  }
  const taken_back = await post(REQUESTS, request('+80000000108'))
  const late = await post(REQUESTS, request(SILENT, { expiry_date: '2 minutes' }))
  const other_amount = await post(REQUESTS, request('+80000000107'))
  const cancelled = await post(REQUESTS, request(SILENT, { amount: '77', reason: 'A mistake' }))
  await kusanya('requests', 'cancel', String(cancelled.id), '--by', 'Grace')
  const second_prompt = await post(REQUESTS, request('+80000000110'))
  await kusanya('clock', 'advance', '12 minutes')
  await until(`${REQUESTS}/${taken_back.id}`, 'reversed')
  await until(`${REQUESTS}/${late.id}`, 'expired')
  await until(`${REQUESTS}/${second_prompt.id}`, 'successful')
  await kusanya('requests', 'cancel', String(other_amount.id))

  const ada = { phone_number: '+80000000011', first_name: 'Ada', last_name: 'Obi', email: 'ada@shop.example' }
  await post('/api/contacts', ada)
  await kusanya('simulate', 'pay', '+80000000021', '300', 'BXC', '--no-ask', '--reference', 'Invoice 8')
  await kusanya('simulate', 'pay', '+80000000022', '310', 'BXC', '--no-ask')
  await kusanya('simulate', 'pay', '+80000000023', '320', 'BXC')
  const unmatched = await moneyOf(clients, '+80000000021')
  await moneyOf(clients, '+80000000023')
  const open = await post(REQUESTS, request(SILENT, { amount: '300' }))
  await until(`${REQUESTS}/${open.id}`, 'instructions_sent')
  await kusanya('collections', 'match', String(unmatched.id), String(open.id), '--by', 'owner@demo.example')
  await kusanya('collections', 'return', String((await moneyOf(clients, '+80000000022')).id))

  const url = `${clients.outside.url}/acceptance`
  const rules = ['--unreachable', 'reject', '--timeout', '60']
  await kusanya('organizations', 'acceptance-url', 'set', url, '--organization', '1', ...rules)
  await kusanya('simulate', 'pay', REFUSED_PHONE, '410', 'BXC', '--no-ask')
  await kusanya('simulate', 'pay', '+80000000024', '420', 'BXC', '--no-ask')
  await until(`/api/collections/${(await moneyOf(clients, REFUSED_PHONE)).id}`, 'failed')
  await until(`/api/collections/${(await moneyOf(clients, '+80000000024')).id}`, 'successful')

  const erased = await post(REQUESTS, request('+80000000031', { first_name: 'Forget', last_name: 'Me' }))
  const { contact } = await until(`${REQUESTS}/${erased.id}`, 'successful')
  await kusanya('contacts', 'erase', String((contact as Json).id), '--yes', '--by', 'owner@demo.example')
  const jane = (await get(`${REQUESTS}?phonenumber=${encodeURIComponent(PAYS)}`)) as unknown as { results: Json[] }
  await kusanya('collections', 'refund', String(jane.results[0]!.collection), '--amount', '500')
}

/** Wait for the money of a customer who was not asked, and return its collection. */
async function moneyOf({ get }: Clients, phone: string): Promise<Json> {
  const path = `/api/collections?phonenumber=${encodeURIComponent(phone)}`
  return eventually(`the money of ${phone}`, async () => {
    const { results } = (await get(path)) as unknown as { results: Json[] }
    return results[0]
  })
}

/** Payments of every end. */
export async function send({ post, until, kusanya }: Clients): Promise<void> {
  const pay = (phonenumber: string, more: object = {}) =>
    post('/api/payments', { phonenumber, amount: '100', currency: 'BXC', description: 'Wages', ...more })
  const end = (payment: Json, ...states: string[]) => until(`/api/payments/${payment.id}`, ...states)
  await end(await pay(PAYS, { metadata: { month: 'May' } }), 'processed')
  await end(await pay(FAILS), 'processed_with_errors')
  await end(await pay('+80000000104'), 'processed', 'validated')
  const recipient_data = [{ phonenumber: PAYS, amount: '10' }, { phonenumber: FAILS }, { phonenumber: '+80000000012' }]
  const many = { recipient_data, amount: '20', currency: 'BXC', description: 'Many' }
  await end(await post('/api/payments', many), 'processed_with_errors')
  await pay('+80000000108', { amount: '60' })
  await pay(SILENT, { amount: '70' })
  await end(await pay('+256770000003', { currency: 'UGX', amount: '5000', payment_type: 'airtime' }), 'processed')
  const [approved, rejected, cancelled] = [await pay(PAYS, over()), await pay(PAYS, over()), await pay(PAYS, over())]
  const finance = ['--user', 'finance@demo.example']
  await kusanya('payments', 'approve', String(approved.id), ...finance)
  await kusanya('payments', 'reject', String(rejected.id), ...finance, '--reason', 'Twice the usual')
  await kusanya('payments', 'cancel', String(cancelled.id), '--user', 'owner@demo.example')
  await end(approved, 'processed')
}

const over = () => ({ amount: OVER_LIMIT })

const COUNTER = '/api/gateway'

/** Bills that are sold and refused, and names that were looked up. */
export async function buy({ answerTo }: Clients): Promise<string[]> {
  const airtime = { service_type: 'mtn', plan: 'prepaid', amount: '100', agentId: '207' }
  const power = { service_type: 'ikeja_electric_prepaid', account_number: '04042404048' }
  await answerTo(`${COUNTER}/services/electricity/verify`, power)
  const purchases: [kind: string, body: object][] = [
    ['airtime', { ...airtime, phone: '08031234567', metadata: { till: 3 } }],
    ['airtime', { ...airtime, phone: '08031000202' }],
    ['airtime', { ...airtime, phone: '08031000210' }],
    ['electricity', { ...power, amount: '2000', phone: '08031234567' }],
    ['electricity', { ...power, account_number: '04223568280', amount: '3000', phone: '08031234567' }],
    ['epin', { service_type: 'mtn', pinValue: '100', numberOfPins: '2', amount: '200' }],
  ]
  const references = purchases.map((_, index) => `order-${index + 1}`)
  for (const [index, [kind, body]] of purchases.entries())
    await answerTo(`${COUNTER}/services/${kind}/request`, { ...body, agentReference: references[index] })
  return references
}

/** Plans and time that passes: occurrences are made, and deliveries have failed after all their attempts. */
export async function letTimePass(clients: Clients): Promise<{ plan_request: number }> {
  const { post, kusanya, read, browser, outside, get } = clients
  const now = new Date((await read<{ now: string }>('clock', 'show')).now)
  const settings = { frequency: 'daily', end_date: written(new Date(now.getTime() + 20 * DAY_MS)) }
  const planned = await post(REQUESTS, request('+80000000041', { amount: '50', subscription_settings: settings }))
  const stopped = await post(REQUESTS, request('+80000000042', { amount: '60', subscription_settings: settings }))
  const plans = await read<{ id: number; collection_request: number }[]>('plans', 'list', '--organization', '1')
  const plan = plans.find((one) => one.collection_request === stopped.id)
  await kusanya('plans', 'stop', String(plan!.id))
  await kusanya('clock', 'advance', '2 days')

  const webhooks = (await get('/api/webhooks')) as unknown as { results: { id: number; target: string }[] }
  const deleted = webhooks.results.find(({ target }) => target.endsWith('/deleted'))!
  await expectSuccess(browser.post(`/webhooks/${deleted.id}/delete`))
  await post('/api/webhooks', { event: 'collection.received', target: `${outside.url}/restless` })
  return { plan_request: planned.id }
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** A date in the form of subscription settings. */
function written(date: Date): string {
  const [day, time] = date.toISOString().slice(0, 19).split('T')
  return `${day!.split('-').reverse().join('/')} ${time}`
}

/** The work that is open when the service is killed. A later version must finish it. */
export interface OpenWork {
  /**
   * Requests: the customer was asked and has not answered; the network refused the order for now; the network has not
   * answered; the first prompt ended without an answer; the request starts tomorrow.
   */
  asked: { request: number; phone: string }
  turned_away: number
  unanswered: number
  second_prompt: number
  tomorrow: number
  /** A request of the second organization that waits for its customer. */
  second_asked: { request: number; phone: string }
  /** The first request of a plan. */
  plan_request: number
  /** Payments: waits for a second person; the network has not answered; its network is silent; starts tomorrow. */
  to_approve: number
  unanswered_payment: number
  silent_payment: number
  later_payment: number
  /** A request and a payment that no job has seen yet. */
  new_request: number
  new_payment: number
  /** Bill whose biller has not yet reported its end. */
  pending_bill: string
  /** Money about which the organization has not answered yet. */
  undecided: number
}

type Begun = Omit<OpenWork, 'plan_request' | 'new_request' | 'new_payment'>

/** Begin work that is still open when the dump is made. Returns when all of it has begun. */
export async function leaveOpen(clients: Clients, people: People, url: string): Promise<Begun> {
  const { post, until, kusanya, answerTo } = clients
  const second_prompt = await post(REQUESTS, request('+256770000110', { currency: 'UGX', amount: '900' }))
  await until(`${REQUESTS}/${second_prompt.id}`, 'instructions_sent')
  await kusanya('clock', 'advance', '70 seconds')

  await kusanya('webhooks', 'secret', '1', '--rotate')
  await clients.browser.signIn('viewer@demo.example', 'a wrong password')
  await clients.browser.signIn(people.finance.email, people.finance.password)
  const second = createApiClient(url, people.second_key)
  const rent = { phonenumber: '+256770000003', amount: '4000', currency: 'UGX', description: 'Rent' }
  await second.post('/api/payments', rent)
  const pay = (phonenumber: string, more: object = {}) =>
    post('/api/payments', { phonenumber, amount: '100', currency: 'BXC', description: 'Wages', ...more })
  const to_approve = await pay('+80000000013', over())
  const later_payment = await pay('+80000000014', { start_date: 'tomorrow' })
  const silent_payment = await pay(SILENT)
  const tomorrow = await post(REQUESTS, request('+80000000051', { start_date: 'tomorrow', expiry_date: '2 hours' }))
  await post(REQUESTS, request(BUSY_PHONES.sms, { amount: '15' }))
  await post(REQUESTS, request('+80000000404', { amount: '16' }), { 'duplicate-check-key': 'the last order' })
  await kusanya('simulate', 'pay', BUSY_PHONES.acceptance, '430', 'BXC', '--no-ask')
  const undecided = await moneyOf(clients, BUSY_PHONES.acceptance)
  const asked = await post(REQUESTS, request('+80000000109', { amount: '2500', metadata: { order: 'open' } }))
  const second_asked = await second.post(REQUESTS, request('+256770000109', { currency: 'UGX' }))
  await until(`${REQUESTS}/${asked.id}`, 'instructions_sent')

  const turned_away = await post(REQUESTS, request('+80000000105', { amount: '18' }))
  const unanswered = await post(REQUESTS, request('+80000000104'))
  const unanswered_payment = await pay('+256770000104', { currency: 'UGX', amount: '5000' })
  await until(`${REQUESTS}/${unanswered.id}`, 'processing_started')
  const bill = { service_type: 'mtn', plan: 'prepaid', amount: '150', agentId: '207', phone: '08031000203' }
  await answerTo(`${COUNTER}/services/airtime/request`, { ...bill, agentReference: 'order-pending' })
  return {
    asked: { request: asked.id, phone: '+80000000109' },
    second_asked: { request: second_asked.body.id, phone: '+256770000109' },
    turned_away: turned_away.id,
    unanswered: unanswered.id,
    second_prompt: second_prompt.id,
    tomorrow: tomorrow.id,
    to_approve: to_approve.id,
    unanswered_payment: unanswered_payment.id,
    silent_payment: silent_payment.id,
    later_payment: later_payment.id,
    pending_bill: 'order-pending',
    undecided: undecided.id,
  }
}

/** Make what waits for the jobs while no process runs them: a request, a payment and a callback without a signature. */
export async function leaveForJobs(
  { post }: Clients,
  url: string,
): Promise<Pick<OpenWork, 'new_request' | 'new_payment'>> {
  const made = await post(REQUESTS, request('+80000000052', { amount: '35' }))
  const payment = { phonenumber: '+80000000053', amount: '45', currency: 'BXC', description: 'Wages' }
  const paid = await post('/api/payments', payment)
  await fetch(`${url}/api/callbacks/sandbox`, { method: 'POST', body: '{"event":"payment.received"}' })
  return { new_request: made.id, new_payment: paid.id }
}
