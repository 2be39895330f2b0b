import { afterAll, beforeAll, expect, it } from 'vitest'
import { setPlace } from '../../../src/core/access/places.ts'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { type LimitedPayment, openLimitCheck, setPaymentLimits } from '../../../src/core/spending/limits.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { timeZones } from '../../../src/lib/text/time-zones.ts'
import { amount, openShop, type Shop } from '../../core/shop.ts'
import { printFigure } from '../figures.ts'

const PHONE = '+80000000003'
let shop: Shop
let contact: number
let author: number

beforeAll(async () => {
  shop = await openShop()
  await begin(shop.db, async (tx) => {
    await limit(tx, '500')
    const [payer] = await tx<{ account: number; author: number }[]>`
      select a.id as account, m."user" as author from accounts a join memberships m on m.organization = a.organization
      where a.organization = ${shop.organization} and a.currency = 'BXC' and a.kind = 'local' order by a.id, m."user" limit 1`
    author = payer!.author
    const details = { description: 'Rent', metadata: {} }
    const network = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' }
    const identity = { national_id: null, national_id_type: null }
    const money = { amount: amount('500'), currency: 'BXC', account: payer!.account, source: payer!.account }
    const [paid] = await createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author,
        purpose: 'payment',
        payment_type: 'money',
        collection: null,
        ...money,
        ...details,
        send_sms_message: false,
        start_date: null,
        recipients: [{ phonenumber: PHONE, amount: amount('500'), network, ...details, ...identity }],
      },
    ])
    expect(paid?.ok).toBe(true)
    const [made] = await tx<{ contact: number }[]>`
      update payment_recipients set state = 'complete', due_at = null where phonenumber = ${PHONE} returning contact`
    contact = made!.contact
  })
})
afterAll(() => shop.close())

function limit(tx: Tx, sum: string | null): Promise<void> {
  const most = sum === null ? null : amount(sum)
  const { organization } = shop
  return setPaymentLimits(tx, { organization, currency: 'BXC', per_day: most, per_recipient: most, per_user: most })
}

/** Return true if one more payment fits, of any size. */
async function fits(): Promise<boolean> {
  const payment: LimitedPayment = {
    organization: shop.organization,
    currency: 'BXC',
    author,
    amount: 1n,
    recipients: [{ phonenumber: PHONE, amount: 1n }],
  }
  return begin(shop.db, async (tx) => (await openLimitCheck(tx, shop.now(), [payment]))(payment) === undefined)
}

it('no setting that a manager can change alone resets the sum of the last 24 hours', async () => {
  let begun_anew = 0
  const zones = timeZones()
  for (const time_zone of zones) {
    await begin(shop.db, (tx) => setPlace(tx, shop.now(), shop.organization, { time_zone, country: 'UG' }))
    if (await fits()) begun_anew++
  }
  await begin(shop.db, (tx) => limit(tx, null))
  await begin(shop.db, (tx) => limit(tx, '500'))
  if (await fits()) begun_anew++
  await expect(
    begin(shop.db, (tx) => eraseContact(tx, shop.now(), contact, { author, lease_end: null })),
  ).rejects.toThrow('wait 24 hours')
  if (await fits()) begun_anew++
  printFigure('limits-begun-anew', `${begun_anew} of ${zones.length + 2} changes began a limit anew`)
  expect(begun_anew).toBe(0)
})
