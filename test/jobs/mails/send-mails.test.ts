import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { claimMails, queueMails } from '../../../src/core/access/mails.ts'
import { begin } from '../../../src/db/client.ts'
import { sendMails } from '../../../src/jobs/mails/send-mails.ts'
import { leaseTimes } from '../../../src/jobs/shared/lease-times.ts'
import type { Mail } from '../../../src/senders/mail.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp
let sent: Mail[]
/** The addresses that the mail server refuses, and what it says. */
let refused: Set<string>
let refusal: string

beforeAll(async () => {
  const send = async (mail: Mail) => {
    if (refused.has(mail.to)) throw new Error(refusal)
    sent.push(mail)
  }
  testApp = await buildTestApp({ overrides: { mailer: { send } } })
})
beforeEach(async () => {
  sent = []
  refused = new Set()
  refusal = 'mailbox unavailable'
  await testApp.db`delete from mails`
})
afterAll(() => testApp.close())

const queue = (...recipients: string[]) =>
  begin(testApp.db, (tx) =>
    queueMails(
      tx,
      testApp.clock.now(),
      recipients.map((recipient) => ({
        organization: testApp.organization,
        recipient,
        subject: 'Hello',
        body: `For ${recipient}`,
      })),
    ),
  )

/** Work once on the mails that are due. Returns how many there were. */
async function work(): Promise<number> {
  const job = sendMails(testApp.app)
  const mails = await job.claim(job.limit)
  await job.run(mails)
  return mails.length
}

it('sends each mail once and forgets it', async () => {
  await queue('a@shop.example', 'b@shop.example')
  expect(await work()).toBe(2)
  expect(sent.toSorted((one, other) => (one.to < other.to ? -1 : 1))).toEqual([
    { to: 'a@shop.example', subject: 'Hello', text: 'For a@shop.example' },
    { to: 'b@shop.example', subject: 'Hello', text: 'For b@shop.example' },
  ])
  expect(await work()).toBe(0)
  expect(await testApp.db`select 1 from mails`).toHaveLength(0)
})

it('tries a refused mail again, and not for ever; the others are not sent twice', async () => {
  refused.add('a@shop.example')
  await queue('a@shop.example', 'b@shop.example')
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    await work()
    testApp.clock.advance(24 * 60 * 60)
  }
  expect(await work()).toBe(0)
  expect(sent.map(({ to }) => to)).toEqual(['b@shop.example'])
  expect(await testApp.db`select recipient, attempts, last_error, due_at from mails`).toMatchObject([
    { recipient: 'a@shop.example', attempts: 6, last_error: 'mailbox unavailable', due_at: null },
  ])
  expect(await sendMails(testApp.app).nextDue()).toBeNull()
})

it('sends again what a killed process had claimed', async () => {
  await queue('a@shop.example')
  await begin(testApp.db, (tx) => claimMails(tx, leaseTimes(testApp.app), 10))
  expect(await work()).toBe(0)
  await testApp.db`update mails set leased_until = created - interval '10 years'`
  expect(await work()).toBe(1)
  expect(sent).toHaveLength(1)
})

it('leaves the mails alone without a mail server', async () => {
  await queue('a@shop.example')
  const { mailer } = testApp.app
  testApp.app.mailer = null
  expect(await work()).toBe(0)
  expect(await sendMails(testApp.app).nextDue()).toBeNull()
  testApp.app.mailer = mailer
  expect(await work()).toBe(1)
})

it('stores what a mail server says, also with null characters', async () => {
  refusal = 'mailbox\0unavailable'
  refused.add('a@shop.example')
  await queue('a@shop.example')
  await work()
  expect(await testApp.db`select attempts, last_error from mails`).toMatchObject([
    { attempts: 1, last_error: 'mailbox\ufffdunavailable' },
  ])
})

it('sends no other mail twice because the result of one cannot be stored', async () => {
  await testApp.db`alter table mails add constraint refused check (last_error is null)`
  refused.add('a@shop.example')
  await queue('a@shop.example', 'b@shop.example')
  await expect(work()).rejects.toThrow('1 of 2 answers could not be applied.')
  await testApp.db`alter table mails drop constraint refused`
  expect(await testApp.db`select recipient from mails`).toEqual([{ recipient: 'a@shop.example' }])
})
