import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConnectionRow } from '../../../src/core/connections/connections.ts'
import { type ApplyResult, applyFindings } from '../../../src/jobs/apply-findings.ts'
import { type DarajaShop, openDarajaShop } from './daraja-shop.ts'
import { confirmationOf, endOf, type PhoneForm, postReport, type SentPrompt } from './paying-network.ts'

/*
 * The money of a prompt is told in up to five ways, by different ids and in any order: by the callback about the prompt, by a
 * question about it, by a confirmation and its repeat, and by the list of payments. It is one collection.
 */

const WAYS = ['confirmation', 'repeat', 'list', 'callback', 'question'] as const
type Way = (typeof WAYS)[number]

/** Forms of the phone number: version 1 of the registration shows it, version 2 hides it. */
const FORMS: readonly { version: 'v1' | 'v2'; confirmation: PhoneForm; callback: PhoneForm }[] = [
  { version: 'v1', confirmation: 'clear', callback: 'clear' },
  { version: 'v2', confirmation: 'masked', callback: 'masked' },
  { version: 'v2', confirmation: 'hashed', callback: 'clear' },
  { version: 'v2', confirmation: 'masked', callback: 'clear' },
  { version: 'v1', confirmation: 'clear', callback: 'masked' },
]
type Form = (typeof FORMS)[number]

interface Run {
  form: Form
  ways: readonly Way[]
}

let shop: DarajaShop
let connection: ConnectionRow

beforeAll(async () => {
  shop = await openDarajaShop()
})
afterAll(() => shop.close())

const pull = { pull_transactions: true, nominated_number: '254722000000' }
const readings: Record<string, Record<string, string | boolean>> = {
  'Pull Transactions': pull,
  'a question about the receipt': {},
  'the address alone': { trust_confirmations: true },
  'Pull Transactions, for a till': { ...pull, kind: 'till' },
  'a question about the receipt, for a till': { kind: 'till' },
}

describe.each(Object.entries(readings))('with confirmations that are believed by %s', (name, settings) => {
  beforeAll(async () => {
    connection = await shop.connect(`shop-${Object.keys(readings).indexOf(name)}`, settings)
  })

  it('is one collection in every order of arrival', async () => {
    const told = WAYS.filter((way) => way !== 'question')
    // The repeat is the same as the confirmation.
    const orders = permutationsOf(told).filter((ways) => ways.indexOf('confirmation') < ways.indexOf('repeat'))
    const forms = FORMS.slice(0, settings === pull ? FORMS.length : 2)
    await expectOneCollectionEach(
      forms.flatMap((form) => orders.map((ways) => ({ form, ways }))),
      true,
    )
  })

  it('is one collection despite repeated and simultaneous reports', async () => {
    const ways = fc.array(fc.constantFrom(...WAYS), { minLength: 1, maxLength: 5 })
    const run = fc.record({ form: fc.constantFrom(...FORMS), ways })
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 12 }), fc.boolean(), expectOneCollectionEach),
      { numRuns: 2, endOnFailure: true },
    )
  })
})

describe('the callback about a prompt', () => {
  beforeAll(async () => {
    connection = await shop.connect('shop-callbacks', {})
  })

  it.each(['came', 'was lost'])('ends the request at once when the answer to the prompt %s', async (answer) => {
    const { db } = shop.service.testApp
    const [asked] = await shop.ask([700])
    const { id, prompt } = asked!
    if (answer === 'was lost')
      await db`update network_orders set state = 'sent', remote_id = null where reference = ${prompt.reference}`
    shop.network.pay(prompt)
    await notify.callback(prompt)
    await shop.service.waitForStatus(id, 'successful')
    const found = await db`select remote_transaction_id from collections where collection_request = ${id}`
    expect([...found]).toEqual([{ remote_transaction_id: prompt.receipt }])
  })
})

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item) => permutationsOf(items.filter((one) => one !== item)).map((rest) => [item, ...rest]))
}

/** @param in_turn whether everything is done before the next report comes */
async function expectOneCollectionEach(runs: readonly Run[], in_turn: boolean): Promise<void> {
  const { testApp } = shop.service
  const before = await balance()
  const asked = await shop.ask(runs.map((_, index) => 100 + index))
  for (const { prompt } of asked) shop.network.pay(prompt)
  const longest = Math.max(...runs.map(({ ways }) => ways.length))
  for (let step = 0; step < longest; step += 1) {
    await Promise.all(
      runs.map(async ({ form, ways }, index) => {
        const way = ways[step]
        if (way) await notify[way](asked[index]!.prompt, form)
      }),
    )
    if (in_turn) await shop.settle()
  }
  await shop.settle()
  // The service's own queries find the rest.
  for (const { prompt } of asked) await notify.question(prompt)
  await shop.settle()
  const found = await testApp.db<{ id: number; status: string; collections: number; phones: string[] }[]>`
    select r.id, r.status, count(c.id) as collections, array_agg(distinct c.phonenumber) as phones
    from collection_requests r
    left join collections c on c.collection_request = r.id and c.status = 'successful' and c.amount = r.amount
    where r.id = any(${asked.map(({ id }) => id)}::bigint[]) group by r.id order by r.id`
  const by_id = new Map(found.map((row) => [row.id, row]))
  expect(asked.map(({ id }, index) => ({ ...by_id.get(id), run: runs[index] }))).toEqual(
    asked.map(({ id, prompt }, index) => ({
      id,
      status: 'successful',
      collections: 1,
      phones: [prompt.phonenumber],
      run: runs[index],
    })),
  )
  const left = await testApp.db`
    select remote_transaction_id, phonenumber, amount from collections
    where connection = ${connection.slug} and collection_request is null`
  expect([...left]).toEqual([])
  expect([...(await testApp.db`select * from unassigned_payments`)]).toEqual([])
  expect((await balance()) - before).toBe(asked.reduce((sum, { prompt }) => sum + prompt.amount, 0))
}

async function balance(): Promise<number> {
  const { body } = await shop.service.shop.get(`/api/accounts/${shop.account}`)
  return Number(body.balance)
}

const notify: Record<Way, (prompt: SentPrompt, form?: Form) => Promise<void>> = {
  async confirmation(prompt, form = FORMS[0]!) {
    const url = `${shop.addressOf(connection)}/confirmation`
    expect(await postReport(url, confirmationOf(prompt, form.confirmation))).toBe(200)
  },
  repeat: (prompt, form) => notify.confirmation(prompt, form),
  async callback(prompt, form = FORMS[0]!) {
    expect(await postReport(prompt.callback_url, endOf(prompt, form.callback))).toBe(200)
  },
  /** As `reconcile --apply` does with a line of the list that the books lack. */
  async list({ receipt, amount }) {
    const { app, clock } = shop.service.testApp
    const remote_id = receipt!
    const line = { remote_id, line: 1, amount: BigInt(amount) * 10_000n, sent: false, status: 'successful' as const }
    const statement = { ...line, currency: 'KES', paid_at: clock.now(), reversal_of: null }
    const result: ApplyResult = { recorded: 0, reversed: 0, known: 0, fees: 0, refused: [] }
    const finding = { kind: 'missing_in_books' as const, remote_id, statement, books: null }
    await applyFindings(app, connection.slug, [finding], result)
  },
  async question({ reference }) {
    const { app, db, clock } = shop.service.testApp
    await db`update network_orders set due_at = ${clock.now()} where reference = ${reference} and closed is null`
    app.wake()
  },
}
