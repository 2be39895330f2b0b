import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestChange } from '../../../../src/core/approvals/changes/changes.ts'
import { begin } from '../../../../src/db/client.ts'
import { openShop, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

const OWNER = 'owner@demo.example'
const HOUR_MS = 3_600_000

let shop: Shop
let kusanya: ReturnType<typeof openShell>
let owner: number
const organizations = (...args: string[]) => kusanya(['organizations', ...args])

beforeAll(async () => {
  shop = await openShop()
  ;({ author: owner } = await shop.wallet())
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, APPROVER_WAIT_HOURS: '24' })
})
afterAll(() => shop.close())

const audit = async (count: number) =>
  [...(await shop.db`select action, details from audit_log order by id desc limit ${count}`)].map(
    ({ action, details }) => [action, (details as { by?: string }).by],
  )

describe('organizations place', () => {
  it('shows and sets the time zone and the country, which commands use for phone numbers', async () => {
    expect((await organizations('place')).out).toBe(
      'Days of Demo Shop begin at midnight in Africa/Kampala, and phone numbers are of UG.',
    )
    const set = await organizations('place', '--time-zone', 'africa/nairobi', '--country', 'ke', '--json')
    const place = { time_zone: 'Africa/Nairobi', country: 'KE' }
    expect(JSON.parse(set.out)).toEqual({ organization: shop.organization, ...place })
    expect(await audit(1)).toEqual([['set time zone and country', 'an operator']])
    const made = await kusanya(['sms', 'opt-outs', 'add', '0712 345 678', '--json'])
    expect(JSON.parse(made.out).phonenumber).toBe('+254712345678')
    const found = await kusanya(['sms', 'opt-outs', 'list', '--phone', '0712345678', '--json'])
    expect(JSON.parse(found.out)).toHaveLength(1)
  })

  it('reports what is wrong', async () => {
    expect((await organizations('place', '--time-zone', 'EAT+3')).err).toContain(
      'Enter a time zone such as Africa/Kampala',
    )
    expect((await organizations('place', '--country', 'XX')).err).toContain('Enter the two letters of a country')
    await organizations('place', '--country', 'none')
    expect((await kusanya(['sms', 'opt-outs', 'list', '--phone', '0712345678'])).err).toContain('with its country code')
    expect((await kusanya(['sms', 'opt-outs', 'list', '--phone', 'Jane'])).code).toBe(1)
  })
})

describe('organizations limits', () => {
  it('are set, changed one by one, listed and removed', async () => {
    expect((await organizations('limits', 'list')).out).toBe('Payments have no limits.')
    const set = await organizations('limits', 'set', 'bxc', '--per-day', '5,000', '--per-user', '1000')
    expect(set).toEqual({
      code: 0,
      out: 'Payments of Demo Shop in BXC in 24 hours: all together at most 5,000, by one user at most 1,000.',
      err: '',
    })
    await organizations('limits', 'set', 'BXC', '--per-user', 'none', '--per-recipient', '200')
    expect(JSON.parse((await organizations('limits', 'list', '--json')).out)).toEqual([
      {
        organization: shop.organization,
        currency: 'BXC',
        per_day: '5000.0000',
        per_recipient: '200.0000',
        per_user: null,
      },
    ])
    expect((await organizations('limits', 'remove', 'BXC')).out).toBe(
      'Payments of Demo Shop in BXC in 24 hours: no limits.',
    )
    expect(await audit(2)).toEqual([
      ['set payment limits', 'an operator'],
      ['set payment limits', 'an operator'],
    ])
  })

  it('report what is wrong', async () => {
    expect((await organizations('limits', 'set', 'BXC')).err).toBe(
      'Give a limit with --per-day, --per-recipient or --per-user.',
    )
    expect((await organizations('limits', 'set', 'XYZ', '--per-day', '1')).err).toContain('is not a valid choice')
    expect((await organizations('limits', 'set', 'BXC', '--per-day', 'much')).code).toBe(1)
    expect((await organizations('limits', 'set', 'BXC', '--per-day', '-1')).code).toBe(1)
  })
})

describe('organizations approvers and approval', () => {
  it('limit how much a person may approve', async () => {
    expect((await organizations('approvers', 'list')).out).toBe('Each approver may approve any amount.')
    const set = await organizations('approvers', 'set', OWNER, 'bxc', '--per-payment', '5,000')
    expect(set).toEqual({ code: 0, out: `${OWNER} may approve in BXC: of one payment at most 5,000.`, err: '' })
    await organizations('approvers', 'set', OWNER, 'BXC', '--per-day', '9000')
    expect(JSON.parse((await organizations('approvers', 'list', '--json')).out)).toMatchObject([
      { user: owner, email: OWNER, currency: 'BXC', per_payment: '5000.0000', per_day: '9000.0000' },
    ])
    expect((await organizations('approvers', 'remove', OWNER, 'BXC')).out).toBe(
      `${OWNER} may approve in BXC: no limits.`,
    )
    expect((await organizations('approvers', 'set', OWNER, 'BXC')).err).toBe(
      'Give a limit with --per-payment or --per-day.',
    )
    expect((await organizations('approvers', 'set', 'no@demo.example', 'BXC', '--per-day', '1')).code).toBe(1)
  })

  it('require more persons for larger payments, and keep what is not named', async () => {
    expect((await organizations('approval', 'set', 'BXC', '1000', '--second', '5000', '--third', '9000')).err).toBe('')
    expect((await organizations('approval', 'set', 'BXC', '2000', '--third', 'none')).err).toBe('')
    expect((await organizations('approval', 'set', 'BXC', '2000', '--third', 'none')).out.split('\n')).toEqual([
      'Payments of Demo Shop above BXC 2,000 now need the approval of a second person.',
      'Those above BXC 5,000 need two approvals.',
    ])
    expect((await organizations('approval', 'set', 'BXC', '6000')).err).toContain('second_threshold')
    await organizations('approval', 'remove', 'BXC')
    expect((await organizations('approval', 'list')).out).toBe('No payment needs an approval.')
  })
})

describe('organizations changes', () => {
  const ask = (email: string) =>
    begin(shop.db, (tx) =>
      requestChange(
        tx,
        {
          now: shop.now(),
          real: shop.now(),
          approver_wait_ms: 0,
          pending_ms: 240_000 * HOUR_MS,
          base_url: 'https://pay.shop.example',
          mail: null,
        },
        { organization: shop.organization, user: owner },
        { kind: 'invitation', email, permissions: ['approve_payments'] },
      ),
    )

  it('are listed, confirmed and rejected by an operator', async () => {
    const created = await kusanya([
      'users',
      'create',
      '--name',
      'Partner',
      '--email',
      'partner@shop.example',
      '--permissions',
      'manage_organization',
    ])
    expect(created.code).toBe(0)
    const [first, second] = [await ask('one@shop.example'), await ask('two@shop.example')]
    const list = JSON.parse((await organizations('changes', 'list', '--state', 'pending', '--json')).out)
    expect(list.map(({ description }: { description: string }) => description)).toEqual([
      'two@shop.example is invited and may: Approve Payments.',
      'one@shop.example is invited and may: Approve Payments.',
    ])
    const confirmed = await organizations('changes', 'confirm', String(first.change!.id))
    expect(confirmed.out).toMatch(
      /^The change \d+ is confirmed: one@.*\nGive this link to one@shop.example; it is shown only now: http.*\/console\/link#\S+$/,
    )
    const rejected = await organizations('changes', 'reject', String(second.change!.id), '--json')
    expect(JSON.parse(rejected.out)).toMatchObject({ state: 'rejected', decided_by: null })
    expect((await organizations('changes', 'reject', '999')).err).toBe('There is no change 999.')
    expect((await organizations('changes', 'confirm', String(first.change!.id))).err).toContain('is already confirmed')
    expect(await audit(3)).toEqual([
      ['reject change', 'an operator'],
      ['confirm change', 'an operator'],
      ['invite user', undefined],
    ])
  })
})

describe('organizations second-factor', () => {
  it('is demanded by an operator, and shows who has none', async () => {
    expect((await organizations('second-factor')).out).toContain('need no second factor.')
    expect((await organizations('second-factor', 'on')).out).toBe(
      'Users of Demo Shop who move money or manage need a second factor.\n' +
        `No second factor: ${OWNER}, partner@shop.example.`,
    )
    expect(JSON.parse((await organizations('list', '--json')).out)).toMatchObject([{ second_factor_required: true }])
    expect(JSON.parse((await organizations('second-factor', 'off', '--json')).out)).toMatchObject({ required: false })
    expect((await organizations('second-factor', 'maybe')).err).toContain('Allowed choices are on, off.')
  })
})

describe('a new approver', () => {
  it('waits also if an operator creates the user', async () => {
    await kusanya([
      'users',
      'create',
      '--name',
      'Finance',
      '--email',
      'finance@shop.example',
      '--permissions',
      'approve_payments',
    ])
    const users = JSON.parse((await kusanya(['users', 'list', '--json'])).out)
    const finance = users.find(({ email }: { email: string }) => email === 'finance@shop.example')
    expect(finance.permissions).toEqual(['approve_payments'])
    expect(Date.parse(finance.approves_from) - Date.parse(finance.created)).toBe(24 * HOUR_MS)
    const changes = JSON.parse((await organizations('changes', 'list', '--json')).out)
    expect(changes[0]).toMatchObject({ state: 'applied', author: null })
  })
})
