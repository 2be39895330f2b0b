import { parseAmount } from '../../../src/lib/money.ts'
import { eventually } from '../../test-app.ts'
import type { BrowserTest } from '../browser.ts'

/** A payer sends money to the till, with what was typed. @returns its collection */
export async function sendToTill(
  { testApp: { app, db, organization } }: BrowserTest,
  phonenumber: string,
  amount: string,
  reference = '',
): Promise<number> {
  const [till] = await db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${organization} and a.currency = 'BXC'`
  const [before] = await db<{ id: number }[]>`select coalesce(max(id), 0) as id from collections`
  const receiver = till!.number
  await app.simulator!.pay({ phonenumber, amount: parseAmount(amount)!, currency: 'BXC', receiver, reference })
  app.wake()
  return eventually('the money', async () => {
    const [found] = await db<{ id: number }[]>`
      select id from collections where phonenumber = ${phonenumber} and id > ${before!.id} and status = 'successful'`
    return found?.id
  })
}
