import { parseAmount } from '../../../src/lib/money.ts'
import { createBuyer, electricityOrder } from '../../api/bills/buyer.ts'
import { openBrowser } from '../../console/browser.ts'
import { sendReviewed } from '../../console/reviewed.ts'
import { PASSWORD } from '../../password.ts'
import { eventually, type TestApp } from '../../test-app.ts'
import { OWNER } from '../browser.ts'

const LONG_REASON = 'Deposit for the wedding reception at the lake, with tents, chairs and transport'
const CURRENCY = 'BXC'

/**
 * Fill the demo shop with what every page shows: requests in several states, money that matches nothing, payments that
 * wait for an approval, invoices, links, bills, a webhook whose receiver does not answer. Names and texts are long.
 */
export async function fillShop(testApp: TestApp, url: string): Promise<ReturnType<typeof openBrowser>> {
  const owner = openBrowser(url)
  await owner.signIn(OWNER, PASSWORD)
  const add = async (path: string, body: object) => {
    const answer = await (path === '/payments' ? sendReviewed(owner, path, body) : owner.post(path, body))
    if (answer.status > 299) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  // Nothing listens at this port.
  const target = 'https://127.0.0.1:9/notifications/of/the/warehouse-in-entebbe?skip-cert-verify'
  await add('/webhooks/endpoints', { events: ['contact.created', 'collection.received'], target })
  const contact = { phone_number: '+80000000077', first_name: 'Nakayenga Immaculate', last_name: 'Ssebuggwawo-Kayondo' }
  await add('/contacts', { ...contact, email: 'immaculate.ssebuggwawo@warehouse-in-entebbe.example' })
  await add('/contacts', { phone_number: '+80000000021', first_name: 'Li', last_name: 'Wu' })
  await addRequests(add)
  await add('/payments', {
    phonenumber: '+80000000003',
    amount: '25000',
    currency: CURRENCY,
    description: LONG_REASON,
  })
  const lines = [
    {
      text: 'Tents and chairs for three days, delivered to the lake',
      unit_price: '1250000',
      quantity: '2',
      tax_rate: '18',
    },
  ]
  await add('/invoices', { phonenumber: '+80000000077', currency: CURRENCY, lines, notes: 'Thank you.' })
  const { id } = await add('/invoices', {
    phonenumber: '+80000000077',
    currency: CURRENCY,
    lines,
    due_date: '2030-02-01',
  })
  await add(`/invoices/${id}/issue`, {})
  await add('/paymentlinks', {
    title: 'School fees of the second term, boarding',
    amount: '1500000',
    currency: CURRENCY,
  })
  await add('/invitations', { email: 'accounts.receivable@warehouse-in-entebbe.example', permissions: ['view'] })
  await add('/keys', {
    name: 'The till at the counter of the warehouse',
    permissions: ['view'],
    password: PASSWORD,
  })
  await createBuyer(testApp, url).post('/services/electricity/request', electricityOrder({ amount: '2000' }))
  await addFiles(add)
  await receiveMoney(testApp)
  await eventually('a delivery that is tried', async () => {
    const { body } = await owner.get('/webhooks/deliveries')
    return body.results.some((one: { attempts: number }) => one.attempts > 0) || undefined
  })
  const paid = await eventually('a paid request', async () => {
    testApp.clock.advance(1)
    testApp.app.wake()
    return (await owner.get('/incoming?status=successful')).body.results[0]
  })
  await add('/receipts', { collection: paid.id })
  return owner
}

async function addRequests(add: (path: string, body: object) => Promise<{ id: number }>): Promise<void> {
  const request = { amount: '1250000', currency: CURRENCY, reason: LONG_REASON }
  await add('/collectionrequests', { ...request, phonenumber: '+80000000077', send_instructions: false })
  await add('/collectionrequests', { ...request, phonenumber: '+80000000109', send_instructions: true })
  await add('/collectionrequests', { ...request, phonenumber: '+80000000021', amount: '2500', send_instructions: true })
  const { id } = await add('/collectionrequests', { ...request, phonenumber: '+80000000078', send_instructions: false })
  await add(`/collectionrequests/${id}/cancel`, {})
  const subscription_settings = { frequency: 'monthly', end_date: '31/12/2031 12:00:00' }
  await add('/collectionrequests', { ...request, phonenumber: '+80000000077', subscription_settings })
}

/** A statement of a network that differs from the books, and a file of payments with a line that is wrong. */
async function addFiles(add: (path: string, body: object) => Promise<unknown>): Promise<void> {
  const statement = 'remote_id,amount,currency,paid_at\nX1,1250000,BXC,2030-01-15T11:00:00Z\n'
  const content = (text: string) => Buffer.from(text).toString('base64')
  await add('/reconciliations', {
    connection: 'sandbox',
    file: { name: 'statement-of-january-warehouse-in-entebbe.csv', content: content(statement) },
  })
  const payments = `phone number,amount,currency,reference,name
+80000000077,1250000,BXC,DEPOSIT-2030-01,Nakayenga Immaculate Ssebuggwawo-Kayondo
+80000000021,2500.50,BXC,Wages,Li Wu
0,25,BXC,Wages,Ann
`
  await add('/bulk-payments', {
    file_name: 'wages-of-the-warehouse-in-entebbe-january-2030.csv',
    content: content(payments),
    description: LONG_REASON,
    send_sms_message: false,
  })
}

/** Money that no request asked for, and money for a till without a wallet. */
async function receiveMoney({ app, db, organization }: TestApp): Promise<void> {
  const [place] = await db<{ number: string }[]>`
    select p.number from connection_places p join accounts a on a.id = p.account
    where a.organization = ${organization} and a.currency = ${CURRENCY}`
  const amount = parseAmount('70000')!
  const payment = { phonenumber: '+80000000055', amount, currency: CURRENCY }
  await app.simulator!.pay({ ...payment, receiver: place!.number, reference: 'RENT-2030-01/WAREHOUSE' })
  await app.simulator!.pay({ ...payment, receiver: '424242', needs_validation: false })
  app.wake()
}
