import { afterAll, beforeAll, expect, it } from 'vitest'
import { setPlace } from '../../../src/core/access/places.ts'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
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
    const [made] = await tx<{ id: number; contact: number; author: number }[]>`
      with c as (
        insert into contacts (organization, phone_number, first_name, last_name, author, created, modified)
        select id, ${PHONE}, 'Ann', 'Akello', service_user, ${shop.now()}, ${shop.now()} from organizations
        where id = ${shop.organization} returning id, author),
      p as (
        insert into payments (organization, purpose, payment_type, amount, currency, account, source, description, metadata,
          send_sms_message, state, author, created, modified, approvals_required)
        select ${shop.organization}, 'payment', 'money', 500, 'BXC', a.id, a.id, 'Rent', '{}', false, 'completed', c.author,
          ${shop.now()}, ${shop.now()}, 0
        from c, (select id from accounts where organization = ${shop.organization} and currency = 'BXC' limit 1) a
        returning id, author)
      insert into payment_recipients (payment, organization, contact, network, connection, phonenumber, amount, fee, description,
        metadata, state, modified)
      select p.id, ${shop.organization}, c.id, 'sandbox', 'sandbox', ${PHONE}, 500, 0, '', '{}', 'complete', ${shop.now()}
      from p, c returning payment as id, contact, (select author from p) as author`
    contact = made!.contact
    author = made!.author
  })
})
afterAll(() => shop.close())

function limit(tx: Tx, sum: string | null): Promise<void> {
  const most = sum === null ? null : amount(sum)
  const { organization } = shop
  return setPaymentLimits(tx, { organization, currency: 'BXC', per_day: most, per_recipient: most, per_user: most })
}

/** Whether one more payment fits, of any size. */
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

it('no setting that a manager changes alone gives back what was paid in the last 24 hours', async () => {
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
