import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { createOrganization, createUser, setMembership } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import type { Mail } from '../../src/senders/mail.ts'
import { PASSWORD } from '../password.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

const OWNER = 'owner@demo.example'
const tokenOf = (text: string) => /\/console\/link#(\S+)/.exec(text)![1]!

let testApp: TestApp
let url: string
let owner: ReturnType<typeof openBrowser>

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  url = (await testApp.startService({ jobs: false })).url
  owner = openBrowser(url)
  await owner.signIn(OWNER, PASSWORD)
})
afterAll(() => testApp.close())

async function invite(email: string) {
  return (await owner.post('/invitations', { email, permissions: ['view', 'initiate_collections'] })).body
}

describe('an invitation', () => {
  it('is a link that creates one user and works once', async () => {
    const { path, mailed } = await invite('Grace@Shop.example')
    expect(mailed).toBe(false)
    const grace = openBrowser(url)
    const token = tokenOf(path)
    expect((await grace.post('/links/look', { token })).body).toEqual({
      purpose: 'invitation',
      email: 'grace@shop.example',
      organization_name: 'Demo Shop',
      known: false,
    })
    expect(await grace.post('/links/use', { token, name: 'Grace', password: 'short' })).toMatchObject({
      status: 400,
      body: { password: ['A password needs at least 8 characters.'] },
    })
    expect((await grace.post('/links/use', { token, password: PASSWORD })).body).toHaveProperty('name')
    const joined = await grace.post('/links/use', { token, name: 'Grace', password: PASSWORD })
    expect(joined).toMatchObject({ status: 200, body: { email: 'grace@shop.example', signed_in: true } })
    expect((await grace.get('/session')).body).toMatchObject({
      stage: 'signed_in',
      user: { name: 'Grace', email: 'grace@shop.example' },
    })
    expect((await grace.post('/links/use', { token, name: 'Eve', password: PASSWORD })).status).toBe(404)
    const session = await grace.signIn('grace@shop.example', PASSWORD)
    expect(session.body.permissions).toEqual(['view', 'initiate_collections'])
    expect((await owner.post('/invitations', { email: 'grace@shop.example', permissions: ['view'] })).status).toBe(400)
  })

  it('can be revoked, and expires', async () => {
    const first = await invite('later@shop.example')
    expect((await owner.send('DELETE', `/invitations/${first.invitation.id}`)).status).toBe(204)
    expect((await owner.post('/links/look', { token: tokenOf(first.path) })).status).toBe(404)
    const second = await invite('later@shop.example')
    await testApp.db`update one_time_links set expires = created`
    expect((await owner.post('/links/look', { token: tokenOf(second.path) })).status).toBe(404)
    expect((await owner.get('/invitations')).body.results).toEqual([])
  })

  it('is mailed when there is a mail server, and is shown when mailing fails', async () => {
    const sent: Mail[] = []
    testApp.app.mailer = { send: async (mail) => void sent.push(mail) }
    try {
      expect(await invite('mailed@shop.example')).toMatchObject({ mailed: true, path: null })
      expect(sent).toMatchObject([{ to: 'mailed@shop.example', subject: 'Demo Owner invites you to Kusanya' }])
      expect((await owner.post('/links/look', { token: tokenOf(sent[0]!.text) })).status).toBe(200)
      testApp.app.mailer = { send: () => Promise.reject(new Error('away')) }
      expect(await invite('mailed@shop.example')).toMatchObject({ mailed: false, path: expect.stringContaining('#') })
    } finally {
      testApp.app.mailer = null
    }
  })
})

describe('permissions', () => {
  it('take effect with the next request, and users cannot change their own', async () => {
    const { path } = await invite('till@shop.example')
    const till = openBrowser(url)
    await till.post('/links/use', { token: tokenOf(path), name: 'Till', password: PASSWORD })
    const { user } = (await till.signIn('till@shop.example', PASSWORD)).body
    expect((await till.get('/collectionrequests')).status).toBe(200)
    const unconfirmed = [{ password: undefined }, { password: 'wrong' }]
    for (const confirmation of unconfirmed) {
      const body = { permissions: ['pay_bills'], ...confirmation }
      expect((await owner.send('PATCH', `/users/${user.id}`, body)).status).toBe(400)
      expect((await owner.post(`/users/${user.id}/second-factor-reset`, confirmation)).status).toBe(400)
      expect((await owner.post('/roles', { name: 'Till', ...body })).status).toBe(400)
    }
    expect((await owner.get('/roles')).body.results.map((role: { name: string }) => role.name)).not.toContain('Till')
    expect((await till.get('/collectionrequests')).status).toBe(200)
    expect((await owner.send('PATCH', `/users/${user.id}`, { permissions: ['fly'], password: PASSWORD })).status).toBe(
      400,
    )
    expect(
      (await owner.send('PATCH', `/users/${user.id}`, { permissions: ['pay_bills'], password: PASSWORD })).status,
    ).toBe(200)
    expect((await till.get('/collectionrequests')).status).toBe(403)
    const own_id = (await owner.get('/session')).body.user.id
    expect((await owner.send('PATCH', `/users/${own_id}`, { permissions: [], password: PASSWORD })).body).toEqual({
      permissions: ['You cannot change your own permissions.'],
    })
    expect((await owner.send('PATCH', '/users/999999', { permissions: [], password: PASSWORD })).status).toBe(404)
  })
})

describe('a forgotten password', () => {
  it('is replaced with a link from a manager, which ends all sessions', async () => {
    const { path } = await invite('forgetful@shop.example')
    const browser = openBrowser(url)
    await browser.post('/links/use', { token: tokenOf(path), name: 'Forgetful', password: PASSWORD })
    const { user } = (await browser.signIn('forgetful@shop.example', PASSWORD)).body
    const reset = await owner.post(`/users/${user.id}/password-reset`)
    const token = tokenOf(reset.body.path)
    expect(await browser.post('/links/use', { token, password: 'another password' })).toMatchObject({
      status: 200,
      body: { email: 'forgetful@shop.example', signed_in: false },
    })
    expect((await browser.get('/collectionrequests')).status).toBe(401)
    expect((await browser.signIn('forgetful@shop.example', 'another password')).status).toBe(200)
  })

  it('cannot be reset by one of several organizations of a user without mail', async () => {
    const user = await begin(testApp.db, async (tx) => {
      const created = await createUser(tx, testApp.clock.now(), { name: 'Both', email: 'both@shop.example' })
      const other = await createOrganization(tx, testApp.clock.now(), 'Other')
      for (const organization of [testApp.organization, other.id])
        await setMembership(tx, testApp.clock.now(), { organization, user: created.id, permissions: ['view'] })
      return created
    })
    expect((await owner.post(`/users/${user.id}/password-reset`)).status).toBe(403)
  })

  it('is reset by mail to an existing account, with the same answer for an unknown one', async () => {
    const sent: Mail[] = []
    testApp.app.mailer = { send: async (mail) => void sent.push(mail) }
    const visitor = openBrowser(url)
    for (const email of ['nobody@shop.example', OWNER])
      expect((await visitor.post('/password-resets', { email })).status).toBe(204)
    await eventually('the mail', async () => sent[0])
    expect(sent.map((mail) => mail.to)).toEqual([OWNER])
    testApp.app.mailer = null
  })
})
