import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allPermissions, type Permission } from '../../../src/core/access/api-keys.ts'
import type { Mail } from '../../../src/senders/mail.ts'
import { PASSWORD } from '../../password.ts'
import { eventually } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { sendReviewed } from '../reviewed.ts'
import { addPerson, openShop, type Shop } from '../shop.ts'

const PARTNER = 'partner@shop.example'
const tokenOf = (text: string) => /\/console\/link#(\S+)/.exec(text)![1]!

let shop: Shop
let partner: Shop['owner']
let till: number

beforeAll(async () => {
  shop = await openShop({ APPROVER_WAIT_HOURS: '24' })
  till = await hire('till@shop.example', ['view'])
})
afterAll(() => shop.testApp.close())

const hire = (email: string, permissions: readonly Permission[]) =>
  addPerson(shop.testApp, { organization: shop.testApp.organization, email, permissions })
const put = (path: string, body: object, who = shop.owner) => who.send('PUT', path, body)
const settings = async () => (await shop.owner.get('/settings')).body
const changes = async (query = '', who = shop.owner) => (await who.get(`/control-changes${query}`)).body

describe('an organization with one manager', () => {
  it('changes its rules at once, and sees the changes in words', async () => {
    expect((await put('/settings/approval/BXC', { threshold: '1000' })).status).toBe(204)
    expect((await put('/settings/limits/BXC', { per_day: '5000', per_user: '' })).status).toBe(204)
    expect((await put('/settings/limits/UGX', { per_recipient: '0' })).status).toBe(204)
    expect((await put('/settings/limits/BXC', { per_day: '6000' })).status).toBe(204)
    expect((await settings()).limits).toEqual([
      { currency: 'BXC', per_day: '6000.0000', per_recipient: null, per_user: null },
      { currency: 'UGX', per_day: null, per_recipient: '0.0000', per_user: null },
    ])
    expect((await shop.owner.send('DELETE', '/settings/limits/UGX')).status).toBe(204)
    const { count, results } = await changes('?limit=2')
    expect(count).toBe(5)
    expect(results).toMatchObject([
      {
        state: 'applied',
        description: 'Payments in UGX in 24 hours: to one phone number no limit (before: at most 0).',
      },
      {
        state: 'applied',
        kind: 'payment_limits',
        description: 'Payments in BXC in 24 hours: all together at most 6,000 (before: at most 5,000).',
        author_name: 'Demo Owner',
      },
    ])
    expect((await shop.audit()).slice(-2)).toEqual(['set payment limits', 'set payment limits'])
    expect((await changes('', shop.otherOwner)).count).toBe(0)
  })

  it('reports errors at their fields, and changes nothing', async () => {
    const before = await changes()
    expect((await put('/settings/limits/BXC', { per_day: 'much', per_user: '-1' })).body).toEqual({
      per_day: ['A valid number is required.'],
    })
    expect((await put('/settings/limits/BXC', { per_day: '-1' })).body).toEqual({
      per_day: ['It must not be below zero.'],
    })
    expect((await put('/settings/limits/XXX', { per_day: '1' })).body).toEqual({
      currency: [expect.stringContaining('"XXX" is not a valid choice.')],
    })
    expect((await put('/settings/limits/BXC', { per_day: '1'.repeat(16) })).body).toHaveProperty('per_day')
    expect((await put('/settings/approval/BXC', { threshold: '1'.repeat(16) })).body).toHaveProperty('threshold')
    expect(await changes()).toEqual(before)
  })

  it('is not for users who do not manage it', async () => {
    const requests = [
      ['GET', '/control-changes'],
      ['POST', '/control-changes/1/confirm'],
      ['DELETE', '/settings/limits/BXC'],
      ['POST', `/users/${till}/second-factor-reset`, { password: PASSWORD }],
    ] as const
    for (const [method, path, body] of requests)
      expect([method, path, (await shop.viewer.send(method, path, body)).status]).toEqual([method, path, 403])
  })
})

describe('a change of who may move money', () => {
  const limits = { per_day: '5', per_recipient: '5', per_user: '5' }
  const ways = (): [method: string, path: string, body: object][] => [
    ['DELETE', '/settings/approval/BXC', {}],
    ['DELETE', '/settings/limits/BXC', {}],
    ['DELETE', `/settings/approvers/${till}/BXC`, {}],
    ['POST', '/invitations', { email: 'new@shop.example', permissions: ['approve_payments'] }],
    ['PATCH', `/users/${till}`, { permissions: ['approve_payments'] }],
    ['POST', `/users/${till}/second-factor-reset`, {}],
    ['POST', '/control-changes/1/confirm', {}],
    ['PUT', '/connections/shop/settings', { values: {} }],
    ['DELETE', '/connections/shop/places/1', {}],
  ]

  it('asks for the password, a code or a passkey, so that a session that was left open changes nothing', async () => {
    const before = [await changes(), (await shop.owner.get('/settings')).body, (await shop.owner.get('/users')).body]
    for (const [method, path, body] of ways()) {
      const asked = await shop.owner.send(method, path, { ...body, password: undefined })
      expect([method, path, asked.status, asked.body]).toEqual([
        method,
        path,
        400,
        { password: ['This field is required.'] },
      ])
    }
    const wrong = await shop.owner.send('PUT', '/settings/limits/BXC', { ...limits, password: 'a wrong password' })
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ['password']])
    const after = [await changes(), (await shop.owner.get('/settings')).body, (await shop.owner.get('/users')).body]
    expect(after).toEqual(before)
    expect((await shop.owner.get('/invitations')).body.results).toEqual([])
  })
})

describe('an organization with two managers', () => {
  beforeAll(async () => {
    await hire(PARTNER, ['view', 'manage_organization'])
    partner = openBrowser(shop.url)
    await partner.signIn(PARTNER, PASSWORD)
  })

  it('makes a new approver when the other manager confirms, who then waits', async () => {
    const permissions = ['view', 'approve_payments']
    const asked = await shop.owner.send('PATCH', `/users/${till}`, { permissions, password: PASSWORD })
    expect(asked).toMatchObject({ status: 202, body: { pending: { state: 'pending', author_name: 'Demo Owner' } } })
    const { id } = asked.body.pending
    expect((await shop.owner.post(`/control-changes/${id}/confirm`)).body).toEqual({
      detail: 'A manager other than the one who asked for it has to decide.',
    })
    expect((await shop.otherOwner.post(`/control-changes/${id}/confirm`)).status).toBe(404)
    const confirmed = await partner.post(`/control-changes/${id}/confirm`)
    expect(confirmed).toMatchObject({ status: 200, body: { link: null, change: { state: 'confirmed' } } })
    const { results } = (await shop.owner.get('/users')).body
    const from = new Date(shop.testApp.clock.now().getTime() + 24 * 3_600_000).toISOString().replace('.000', '')
    expect(results.find((one: { id: number }) => one.id === till)).toMatchObject({ permissions, approves_from: from })
    expect((await shop.audit()).slice(-3)).toEqual(['ask for change', 'change permissions', 'confirm change'])
    // A change that strengthens control needs nobody.
    expect(
      (await shop.owner.send('PATCH', `/users/${till}`, { permissions: ['view'], password: PASSWORD })).status,
    ).toBe(200)
  })

  it('invites an approver when the other manager confirms, who gets the link', async () => {
    const body = { email: 'new@shop.example', permissions: ['view', 'approve_payments'] }
    const asked = await shop.owner.post('/invitations', body)
    expect(asked).toMatchObject({ status: 202 })
    expect(asked.body).not.toHaveProperty('path')
    expect((await shop.owner.get('/invitations')).body.results).toEqual([])
    const confirmed = await partner.post(`/control-changes/${asked.body.pending.id}/confirm`)
    const person = openBrowser(shop.url)
    const token = tokenOf(confirmed.body.link.path)
    await person.post('/links/use', { token, name: 'New', password: PASSWORD })
    expect((await person.signIn(body.email, PASSWORD)).body.permissions).toEqual(body.permissions)
    const [member] = await shop.testApp.db`
      select approves_from from memberships m join users u on u.id = m."user" where u.email = ${body.email}`
    expect(member!.approves_from).toEqual(new Date(shop.testApp.clock.now().getTime() + 24 * 3_600_000))
  })

  it('does not let anybody give a permission that they lack', async () => {
    const refused = await partner.send('PATCH', `/users/${till}`, {
      permissions: ['view', 'pay_bills'],
      password: PASSWORD,
    })
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: 'You cannot grant a permission that you do not have: Pay Bills.' },
    })
    expect((await partner.post('/invitations', { email: 'x@shop.example', permissions: ['pay_bills'] })).status).toBe(
      403,
    )
    expect((await partner.post('/keys', { password: PASSWORD, name: 'big', permissions: ['pay_bills'] })).status).toBe(
      400,
    )
  })

  it('lists changes by state, and lets the one who asked withdraw', async () => {
    const asked = await put('/settings/approval/BXC', { threshold: '2000' })
    expect((await changes('?state=pending')).results).toMatchObject([{ id: asked.body.pending.id }])
    expect((await changes('?state=old')).state).toEqual([expect.stringContaining('"old" is not a valid choice.')])
    expect((await partner.post(`/control-changes/${asked.body.pending.id}/withdraw`)).status).toBe(403)
    expect((await shop.owner.post(`/control-changes/${asked.body.pending.id}/withdraw`)).status).toBe(200)
    expect((await shop.owner.post('/control-changes/999999/withdraw')).status).toBe(404)
    expect((await changes('?state=pending')).count).toBe(0)
  })

  it('resets the second factor of a user when the other manager confirms', async () => {
    const reset = () => shop.owner.post(`/users/${till}/second-factor-reset`, { password: PASSWORD })
    expect((await reset()).body).toEqual({ user: ['till (till@shop.example) has no second factor.'] })
    await shop.testApp.db`update users set totp_secret = 'sealed', totp_confirmed = created where id = ${till}`
    const asked = await reset()
    expect(asked.status).toBe(202)
    expect((await partner.post(`/control-changes/${asked.body.pending.id}/confirm`)).status).toBe(200)
    const [user] = await shop.testApp.db`select totp_confirmed from users where id = ${till}`
    expect(user!.totp_confirmed).toBeNull()
    const shared = await hire('shared@shop.example', ['view'])
    await shop.testApp.db`
      insert into memberships (organization, "user", permissions, created)
      select id, ${shared}, '{view}', created from organizations where id <> ${shop.testApp.organization}`
    await shop.testApp.db`update users set totp_secret = 'sealed', totp_confirmed = created where id = ${shared}`
    expect(
      (await shop.owner.post(`/users/${shared}/second-factor-reset`, { password: PASSWORD })).body.detail,
    ).toContain('an operator has to')
    const own = (await shop.owner.get('/session')).body.user.id
    expect((await shop.owner.post(`/users/${own}/second-factor-reset`, { password: PASSWORD })).status).toBe(400)
  })

  it('notifies the users concerned by mail', async () => {
    const sent: Mail[] = []
    shop.testApp.app.mailer = { send: async (mail) => void sent.push(mail) }
    const asked = await put('/settings/approval/BXC', { threshold: '3000' })
    await eventually('the mails that a change waits', async () => sent[2])
    await partner.post(`/control-changes/${asked.body.pending.id}/reject`)
    await eventually('the mails about the decision', async () => sent[5])
    const hasNoMails = async () => (await shop.testApp.db`select 1 from mails`).length === 0 || undefined
    await eventually('the end of the mails, after they were sent', hasNoMails)
    shop.testApp.app.mailer = null
    const everybody = ['new@shop.example', 'owner@demo.example', PARTNER]
    expect(
      sent
        .slice(0, 3)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(everybody)
    expect(
      sent
        .slice(3)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(everybody)
    expect(sent[0]!.subject).toBe('Kusanya: Demo Owner asks for a change of Demo Shop')
    expect(sent[0]!.text).toContain('with approval above 3,000 (before: with approval above 1,000)')
    expect(sent[0]!.text).toContain('/console/changes')
    expect(sent[3]!.subject).toBe('Kusanya: partner has rejected a change of Demo Shop')
  })
})

describe('a password link', () => {
  beforeEach(() => {
    shop.testApp.app.mailer = null
  })

  it('of somebody who controls payments is never shown, only mailed', async () => {
    const approver = await hire('approver@shop.example', ['approve_payments'])
    const refused = await shop.owner.post(`/users/${approver}/password-reset`)
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toContain('The link opens an account that may: Approve Payments.')
    expect(refused.body.detail).toContain('npx kusanya users password approver@shop.example')
    const sent: Mail[] = []
    shop.testApp.app.mailer = { send: async (mail) => void sent.push(mail) }
    const mailed = await shop.owner.post(`/users/${approver}/password-reset`)
    expect(mailed.body).toEqual({ mailed: true, path: null, problem: null })
    expect(sent.map(({ to }) => to)).toEqual(['approver@shop.example'])
    shop.testApp.app.mailer = { send: () => Promise.reject(new Error('away')) }
    expect((await shop.owner.post(`/users/${approver}/password-reset`)).body).toMatchObject({ path: null })
  })

  it('of somebody with permissions that the manager lacks is not shown either', async () => {
    const eraser = await hire('eraser@shop.example', ['erase_contacts'])
    expect((await partner.post(`/users/${eraser}/password-reset`)).status).toBe(403)
    expect((await shop.owner.post(`/users/${eraser}/password-reset`)).body.path).toContain('/console/link#')
  })
})

describe('a second factor for everybody who moves money', () => {
  it('is demanded by a manager who has one, and must be set up before anything else', async () => {
    expect((await put('/settings/second-factor', { required: true })).body).toEqual({
      required: ['Set up your own second factor first, under "Your account".'],
    })
    const secret = await turnOn(shop.owner)
    expect(secret).toMatch(/^[A-Z2-7]+$/)
    expect((await put('/settings/second-factor', { required: true })).status).toBe(204)
    expect((await settings()).second_factor_required).toBe(true)
    expect((await shop.owner.get('/session')).body).toMatchObject({ second_factor_missing: false })

    const session = (await partner.get('/session')).body
    expect(session).toMatchObject({ second_factor_missing: true, permissions: ['view'] })
    const refused = await partner.get('/users')
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toContain('This organization requires a second factor for this.')
    expect((await partner.get('/collectionrequests')).status).toBe(200)
    expect((await shop.viewer.get('/session')).body).toMatchObject({ second_factor_missing: false })

    await turnOn(partner)
    expect((await partner.get('/users')).status).toBe(200)
    // To demand it no longer takes both managers.
    const asked = await put('/settings/second-factor', { required: false })
    expect(asked.status).toBe(202)
    expect((await partner.post(`/control-changes/${asked.body.pending.id}/confirm`)).status).toBe(200)
    expect((await settings()).second_factor_required).toBe(false)
  })

  it('holds for sending and approving money as well', async () => {
    const payer = openBrowser(shop.url)
    await hire('sender@shop.example', allPermissions)
    await payer.signIn('sender@shop.example', PASSWORD)
    await shop.testApp
      .db`update organizations set second_factor_required = true where id = ${shop.testApp.organization}`
    const body = { phonenumber: '+80000000003', amount: '10', currency: 'BXC', description: 'Rent' }
    expect((await payer.post('/payments', body)).status).toBe(403)
    expect((await payer.post('/payments/1/approve')).status).toBe(403)
    await turnOn(payer)
    expect((await sendReviewed(payer, '/payments', body)).status).toBe(201)
  })
})

/** Turn on the second factor of a signed-in user. Returns its secret. */
async function turnOn(browser: Shop['owner']): Promise<string> {
  const { secret } = (await browser.post('/account/second-factor', { password: PASSWORD })).body
  expect((await browser.send('PUT', '/account/second-factor', { code: generateSync({ secret }) })).status).toBe(200)
  return secret
}
