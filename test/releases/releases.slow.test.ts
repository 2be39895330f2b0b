import { createHmac, randomUUID } from 'node:crypto'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openProgramRunner, type ProgramRunner, SERVE_COMMAND } from '../cli/program-runner.ts'
import { openShell } from '../cli/shell.ts'
import { openBrowser } from '../console/browser.ts'
import { databaseUrl } from '../postgres.ts'
import { createApiClient, eventually } from '../test-app.ts'
import { type Ask, openQuestions } from './answers.ts'
import { CHANGED_BY_MIGRATIONS, currentAnswer, currentTable } from './changes.ts'
import { type Clients, type Json, MAX_WAIT_MS, openClients } from './clients.ts'
import { fillDataFolder } from './data-folder.ts'
import { auditBooks, countRows, databaseUrlIn, describeSchema, openStatements } from './database.ts'
import { listReleases, readRelease } from './fixtures.ts'
import { type Outside, openOutside, settingsFor } from './outside.ts'

/*
 * This version must work on the data of every released version. test/fixtures/releases has a folder for each of them;
 * `npm run release:fixture` makes one (CONTRIBUTING.md, "A release").
 */

describe.each(listReleases())('the dump of version %s', (version) => {
  const { url: server, migrated: template } = inject('postgres')
  const name = `release_${randomUUID().replaceAll('-', '')}`
  const release = readRelease(version)

  beforeAll(async () => {
    const admin = openStatements(server)
    await admin.run(`create database ${name}`)
    await admin.close()
    const db = openStatements(databaseUrl(server, name))
    await db.run(release.dump)
    await db.close()
    const { code, err } = await openShell({ DATABASE_URL: databaseUrl(server, name) })(['migrate'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
  afterAll(async () => {
    const admin = openStatements(server)
    await admin.run(`drop database ${name} with (force)`)
    await admin.close()
  })

  it('keeps all rows of all tables when it is migrated, and its books balance', async () => {
    const db = openStatements(databaseUrl(server, name))
    const counts = await countRows(db)
    const faults = await auditBooks(databaseUrl(server, name))
    await db.close()
    const before = Object.entries(release.counts).filter(([table]) => !CHANGED_BY_MIGRATIONS.includes(table))
    expect(before.map(([table]) => [table, counts[currentTable(table)]])).toEqual(before)
    expect(faults).toEqual([])
  })

  it('has a chained audit log after the migrations', async () => {
    const { code, out } = await openShell({ DATABASE_URL: databaseUrl(server, name) })(['audit', 'verify', '--json'])
    const { faults, position } = JSON.parse(out)
    expect({ code, faults, position }).toEqual({ code: 0, faults: [], position: release.counts.audit_log })
  })

  it('has the schema of a new database after the migrations', async () => {
    const [migrated, made] = [openStatements(databaseUrl(server, name)), openStatements(databaseUrl(server, template))]
    const schemas = await Promise.all([describeSchema(migrated), describeSchema(made)])
    await Promise.all([migrated.close(), made.close()])
    expect(schemas[0]).toEqual(schemas[1])
  })
})

describe.each(listReleases())('the data folder of version %s', (version) => {
  let outside: Outside
  let premises: ProgramRunner
  let release: ReturnType<typeof readRelease>
  let settings: Record<string, string>
  let url: string
  let clients: Clients
  let second: ReturnType<typeof createApiClient>
  let ask: Ask

  beforeAll(async () => {
    outside = await openOutside()
    premises = await openProgramRunner()
    release = readRelease(version, outside.url)
    await fillDataFolder(premises.data_dir, release)
    settings = settingsFor(outside)
    // Without jobs nothing changes while the answers are compared.
    url = (await premises.start({ command: [...SERVE_COMMAND, '--no-jobs'], settings })).url
    const shop_key = release.files['demo-api-key']!
    clients = openClients(url, shop_key, { ...settings, DATA_DIR: premises.data_dir }, outside)
    second = createApiClient(url, release.people.second_key)
    const { email, password } = release.people.owner
    expect(await clients.browser.signIn(email, password)).toMatchObject({ status: 200 })
    ask = openQuestions(clients, url, release.people, shop_key)
  })
  afterAll(async () => {
    await premises?.close()
    await outside?.close()
  })

  it('gives the same answers as before, to programs, at the console and at the command line', async () => {
    // Prompts end after minutes, also while a busy machine answers the rest.
    const isFirst = ({ question }: { question: string }) => Number(question === 'simulate prompts')
    for (const before of release.answers.toSorted((one, other) => isFirst(other) - isFirst(one))) {
      const { asker, question, answer } = currentAnswer(before)
      expect.soft({ asker, question, answer: await ask(asker, question) }).toEqual({ asker, question, answer })
    }
  })

  it('opens what was sealed: a second factor lets its person in', async () => {
    const { email, password, totp_secret } = release.people.finance
    const browser = openBrowser(url)
    expect((await browser.signIn(email, password)).body).toMatchObject({ stage: 'second_factor' })
    const { body } = await browser.post('/session/second-factor', { code: generateSync({ secret: totp_secret }) })
    expect(body).toMatchObject({ stage: 'signed_in', user: { email } })
  })

  it('opens what was sealed: a client signs its requests as before', async () => {
    const { username, secret } = release.people.signing
    const path = '/api/gateway/superagent/account/balance'
    const seconds = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha1', secret).update(`GET${path}${seconds}`).digest('base64')
    const headers = { authorization: `Baxi ${username}:${signature}`, 'baxi-date': seconds }
    expect(await (await fetch(url + path, { headers })).json()).toMatchObject({ status: 'success' })
  })

  describe('with its jobs', () => {
    const REQUESTS = '/api/collectionrequests'

    beforeAll(async () => {
      outside.recover()
      // The tests before take real time, in which nobody asks the acceptance URL.
      const db = openStatements(await databaseUrlIn(premises.data_dir))
      await db.run(`update acceptance_checks set deadline = deadline + interval '1 hour' where verdict is null`)
      await db.close()
      const jobs = { command: [...SERVE_COMMAND, '--no-api'], settings: { ...settings, PORT: new URL(url).port } }
      await premises.start(jobs)
    })

    it('receives the money of customers who had been asked before', async () => {
      const { asked, second_asked } = release.open
      await clients.kusanya('simulate', 'approve', asked.phone)
      await clients.kusanya('simulate', 'approve', second_asked.phone)
      const paid = await clients.until(`${REQUESTS}/${asked.request}`, 'successful')
      expect(await clients.get(`/api/collections/${paid.collection}`)).toMatchObject({ amount: '2500.0000' })
      await eventually('the money of the second organization', async () => {
        const { body } = await second.get(`${REQUESTS}/${second_asked.request}`)
        return body.status === 'successful' ? true : undefined
      })
    })

    it('finishes the work of the killed service', { timeout: MAX_WAIT_MS }, async () => {
      const { unanswered, unanswered_payment, undecided, new_request, new_payment, pending_bill } = release.open
      // An order that a killed process may have sent is sent again only when it can no longer be on its way.
      await clients.kusanya('clock', 'advance', '10 minutes')
      await clients.until(`${REQUESTS}/${unanswered}`, 'successful')
      await clients.until(`${REQUESTS}/${new_request}`, 'successful')
      await clients.until(`/api/payments/${unanswered_payment}`, 'processed')
      await clients.until(`/api/payments/${new_payment}`, 'processed')
      await clients.until(`/api/collections/${undecided}`, 'successful')
      await eventually('the bill to be sold', async () => {
        const path = `/api/gateway/superagent/transaction/requery?agentReference=${pending_bill}`
        const { data } = (await clients.get(path)) as unknown as { data: { transactionStatus: string } }
        return data.transactionStatus === 'success' ? true : undefined
      })
    })

    it('sends a payment that waited for its approval', async () => {
      const payment = release.open.to_approve
      expect(await clients.get(`/api/payments/${payment}`)).toMatchObject({ state: 'approval_requested' })
      await clients.kusanya('payments', 'approve', String(payment), '--user', release.people.finance.email)
      await clients.until(`/api/payments/${payment}`, 'processed')
    })

    it('does within a day all work that becomes due on that day', async () => {
      const { turned_away, second_prompt, tomorrow, later_payment, plan_request, silent_payment } = release.open
      const plan = async () =>
        (await clients.read<{ collection_request: number; occurrence_count: number }[]>('plans', 'list')).find(
          (one) => one.collection_request === plan_request,
        )!
      const { occurrence_count } = await plan()
      await clients.kusanya('clock', 'advance', '25 hours')
      expect((await plan()).occurrence_count).toBe(occurrence_count + 1)
      await clients.until(`${REQUESTS}/${second_prompt}`, 'successful')
      await clients.until(`${REQUESTS}/${tomorrow}`, 'successful')
      await clients.until(`/api/payments/${later_payment}`, 'processed')
      // The network never reports the end of this payment, and unknown is never failed.
      expect(await clients.get(`/api/payments/${silent_payment}`)).toMatchObject({ state: 'validated' })
      await clients.until(`${REQUESTS}/${turned_away}`, 'successful')
      const texts = await clients.read<Json[]>('sms', 'list', '--limit', '200')
      expect(texts.filter(({ state }) => state === 'waiting')).toEqual([])
      const health = await clients.browser.get('/webhooks/health')
      const restless = health.body.results.find(({ target }: { target: string }) => target.endsWith('/restless'))
      expect(restless).toMatchObject({ waiting: 0, failing_since: null })
      const [notification] = outside.calls('/restless')
      expect(notification!.headers.authorization).toBe(`Basic ${btoa('shop:open sesame')}`)
    })

    it('has books that balance', async () => {
      expect(await auditBooks(await databaseUrlIn(premises.data_dir))).toEqual([])
    })
  })
})
