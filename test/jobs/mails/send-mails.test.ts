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
/** Further members of the errors of the mail client. */
let details: object

beforeAll(async () => {
  const send = async (mail: Mail) => {
    if (refused.has(mail.to)) throw Object.assign(new Error(refusal), details)
    sent.push(mail)
  }
  testApp = await buildTestApp({ overrides: { mailer: { send } } })
})
beforeEach(async () => {
  sent = []
  refused = new Set()
  refusal = 'mailbox unavailable'
  details = {}
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
async function work(job = sendMails(testApp.app)): Promise<number> {
  const mails = await job.claim(job.limit)
  await job.run(mails)
  return mails.length
}

it('sends each mail once and forgets it', async () => {
  await queue('a@shop.example', 'b@shop.example')
  expect(await work()).toBe(2)
  expect(sent.toSorted((one, other) => (one.to < other.to ? -1 : 1))).toEqual([
    { to: 'a@shop.example', subject: 'Hello', text: 'For a@shop.example', outbox_id: expect.any(String) },
    { to: 'b@shop.example', subject: 'Hello', text: 'For b@shop.example', outbox_id: expect.any(String) },
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

it('gives a mail the same id at each attempt, and another one its own', async () => {
  const ids: unknown[] = []
  const { mailer } = testApp.app
  testApp.app.mailer = {
    async send({ outbox_id }) {
      ids.push(outbox_id)
      throw new Error('The answer is lost.')
    },
  }
  await queue('a@shop.example')
  await work()
  testApp.clock.advance(60)
  await work()
  await queue('a@shop.example')
  await work()
  testApp.app.mailer = mailer
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), ids[0], expect.any(String)])
  expect(ids[2]).not.toBe(ids[0])
})

it('loses no mail to a busy server, which gets none for a minute', async () => {
  details = { responseCode: 432, command: 'MAIL FROM', response: '432 4.3.2 Concurrent connections limit exceeded.' }
  for (const name of ['a', 'b', 'c', 'd']) refused.add(`${name}@shop.example`)
  await queue(...refused)
  const job = sendMails(testApp.app)
  expect(await work(job)).toBe(3)
  expect(await work(job)).toBe(0)
  expect((await job.nextDue())!.getTime()).toBeGreaterThan(testApp.clock.now().getTime() + 50_000)
  for (let minute = 1; minute <= 10; minute += 1) {
    testApp.clock.advance(60)
    expect(await work()).toBe(3)
  }
  refused.clear()
  testApp.clock.advance(60)
  while ((await work()) > 0);
  expect(sent).toHaveLength(4)
})

it('counts the attempts at a server that is busy for more than a day', async () => {
  details = { responseCode: 421, command: 'CONN' }
  refused.add('a@shop.example')
  await queue('a@shop.example')
  await work()
  for (let day = 1; day <= 6; day += 1) {
    testApp.clock.advance(24 * 60 * 60)
    await work()
  }
  expect(await testApp.db`select attempts, due_at from mails`).toMatchObject([{ attempts: 6, due_at: null }])
})

it('tries no address again that the server does not know, and others as usual', async () => {
  details = { responseCode: 550, command: 'RCPT TO', response: '550 5.1.1 <a@shop.example>: no such user' }
  refused.add('a@shop.example')
  await queue('a@shop.example')
  await work()
  expect(await testApp.db`select attempts, due_at from mails`).toMatchObject([{ attempts: 1, due_at: null }])
  await testApp.db`delete from mails`
  details = { responseCode: 450, command: 'RCPT TO', response: '450 4.2.0 Greylisted' }
  await queue('a@shop.example')
  await work()
  expect(await testApp.db`select attempts, due_at from mails`).toMatchObject([
    { attempts: 1, due_at: expect.any(Date) },
  ])
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
