import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operator, runAction } from '../../../src/actions/run.ts'
import { actions } from '../../../src/actions/table.ts'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import type { Actor } from '../../../src/core/access/action.ts'
import { allPermissions, type Permission } from '../../../src/core/access/api-keys.ts'
import type { ProposalNoun } from '../../../src/core/approvals/proposals.ts'
import { queueApprovalMails } from '../../../src/core/payments/approval-mails.ts'
import { Forbidden, Invalid } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { samples } from '../../actions/samples.ts'
import { testsOf } from '../../actions/tests-of.ts'
import { addPerson } from '../../console/shop.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

/* Rules of the maker-checker, asked of each kind of proposal. The partner is the author of all proposals. */

interface Story {
  /** Names of the actions that decide. `withdraw`: by the author. */
  approve: string
  reject: string
  withdraw?: string
  permission: Permission
  /** People who get mail: those who may approve before a decision, managers and approvers after it, or nobody. */
  mail: 'approvers' | 'guardians' | null
  /** Read whether a proposal waits. */
  waits(id: number): Promise<boolean>
  /** Let a proposal need two approvals, where some do. */
  needTwo?(id: number): Promise<unknown>
  /** Refusal of a decision after thirty days, where a proposal expires. */
  expired?: string
  /** True if an operator may decide while the organization has other persons who may. */
  operator?: true
}

const MONTH_S = 30 * 24 * 60 * 60
const approver = 'approve_payments'

const stories: Record<ProposalNoun, Story> = {
  payment: {
    approve: 'approve payment',
    reject: 'reject payment',
    withdraw: 'cancel payment',
    permission: approver,
    mail: 'approvers',
    waits: (id) => has(sql`from payments where id = ${id} and state = 'approval_requested'`),
    needTwo: (id) => testApp.db`update payments set approvals_required = 2 where id = ${id}`,
  },
  'bulk payment': {
    approve: 'approve bulk payment',
    reject: 'reject bulk payment',
    permission: approver,
    mail: 'approvers',
    waits: (id) => has(sql`from payments where id in (${paymentsOf(id)}) and state = 'approval_requested'`),
    needTwo: (id) => testApp.db`update payments set approvals_required = 2 where id in (${paymentsOf(id)})`,
  },
  purchase: {
    approve: 'approve purchase',
    reject: 'reject purchase',
    permission: approver,
    mail: 'approvers',
    waits: (id) =>
      has(sql`from bill_purchases where id = ${id} and status = 'pending' and approvals < approvals_required`),
    needTwo: (id) => testApp.db`update bill_purchases set approvals_required = 2 where id = ${id}`,
  },
  attestation: {
    approve: 'approve attestation',
    reject: 'reject attestation',
    withdraw: 'withdraw attestation',
    permission: approver,
    mail: 'guardians',
    waits: (id) => has(sql`from order_attestations where id = ${id} and state = 'waiting'`),
  },
  change: {
    approve: 'confirm change',
    reject: 'reject change',
    withdraw: 'withdraw change',
    permission: 'manage_organization',
    mail: 'guardians',
    waits: (id) => has(sql`from control_changes where id = ${id} and state = 'pending'`),
    expired: 'expired',
    operator: true,
  },
  'statement line': {
    approve: 'approve statement line',
    reject: 'reject statement line',
    withdraw: 'reject statement line',
    permission: approver,
    mail: null,
    waits: (id) => has(sql`from reconciliation_findings where run = ${id} and state = 'entered'`),
  },
}

const paymentsOf = (file: number) => sql`select payment from bulk_payment_rows where bulk_payment = ${file}`

let testApp: TestApp
let author: Actor
/** For each permission to decide: two who have only this one, and one who has all others. */
let people: Map<Permission, { first: Actor; second: Actor; powerless: Actor }>

beforeAll(async () => {
  testApp = await buildTestApp({
    settings: { SANDBOX_PASSWORD: PASSWORD },
    overrides: { mailer: { send: async () => {} } },
  })
  await prepareDemo(testApp.app)
  author = await hire('partner', allPermissions)
  people = new Map()
  for (const permission of [approver, 'manage_organization'] as const)
    people.set(permission, {
      first: await hire(`first-${permission}`, ['view', permission]),
      second: await hire(`second-${permission}`, ['view', permission]),
      powerless: await hire(
        `powerless-${permission}`,
        allPermissions.filter((one) => one !== permission),
      ),
    })
  await testApp.db`update connections set organization = ${testApp.organization}`
})
afterAll(() => testApp.close())

async function hire(name: string, permissions: readonly Permission[]): Promise<Actor> {
  const email = `${name.replaceAll('_', '-')}@shop.example`
  const user = await addPerson(testApp, { email, organization: testApp.organization, permissions: [...permissions] })
  const { organization } = testApp
  return { organization, user, name, permissions: new Set(permissions), confirm: async () => {} }
}

async function has(condition: ReturnType<typeof sql>): Promise<boolean> {
  const [row] = await testApp.db`select ${condition} limit 1`
  return row !== undefined
}

/** Make a proposal of the partner, and forget those before. @returns the members that name it */
function propose({ approve }: Story): Promise<{ id: number }> {
  return begin(testApp.db, async (tx) => {
    await tx`delete from control_changes`
    await tx`delete from mails`
    return (await samples[approve]!.prepare!(tx, testApp)) as { id: number }
  })
}

/** Perform a decision. @throws Refusal */
function perform(name: string, actor: Actor, proposal: { id: number }): Promise<unknown> {
  const action = actions.find((one) => one.name === name)!
  return runAction(testApp.app, actor, action, action.input.parse({ ...samples[name]!.input, ...proposal }))
}

/** Declare a test where it applies. */
const itIf = testsOf()

/** Return the names of the entries that work adds to the audit log. */
async function written(work: () => Promise<unknown>): Promise<string[]> {
  const [last] = await testApp.db<{ id: number }[]>`select coalesce(max(id), 0) as id from audit_log`
  await work()
  const entries = await testApp.db<{ action: string }[]>`
    select action from audit_log where id > ${last!.id} order by id`
  return entries.map(({ action }) => action)
}

async function mailed(): Promise<string[]> {
  const mails = await testApp.db<{ recipient: string }[]>`select distinct recipient from mails order by recipient`
  return mails.map(({ recipient }) => recipient)
}

/** List the persons with one of these permissions, except one. */
async function listPeople(permissions: readonly Permission[], except = 0): Promise<string[]> {
  const found = await testApp.db<{ email: string }[]>`
    select u.email from memberships m join users u on u.id = m."user"
    where m.organization = ${testApp.organization} and u.kind = 'person' and u.id <> ${except}
      and m.permissions && ${permissions}::text[] order by u.email`
  return found.map(({ email }) => email)
}

/** Expect that a decision is refused, leaves the proposal as it is, and writes nothing. */
async function expectRefusal(
  story: Story,
  name: string,
  actor: Actor,
  proposal: { id: number },
  type: typeof Forbidden | typeof Invalid,
) {
  const before = await story.waits(proposal.id)
  const entries = await written(() => expect(perform(name, actor, proposal)).rejects.toBeInstanceOf(type))
  expect([await story.waits(proposal.id), entries]).toEqual([before, []])
}

describe.each(Object.entries(stories))('the proposal "%s"', (_, story) => {
  const { approve, reject, withdraw, permission, mail } = story
  const deciders = () => people.get(permission)!

  it('is not decided by its author, nor by persons with all permissions but the one that it takes', async () => {
    const proposal = await propose(story)
    await expectRefusal(story, approve, author, proposal, Forbidden)
    if (reject !== withdraw) await expectRefusal(story, reject, author, proposal, Forbidden)
    const { powerless, second } = deciders()
    for (const name of [approve, reject]) await expectRefusal(story, name, powerless, proposal, Forbidden)
    if (withdraw && reject !== withdraw) await expectRefusal(story, withdraw, second, proposal, Forbidden)
    expect(await story.waits(proposal.id)).toBe(true)
  })

  it(story.operator ? 'is decided by an operator' : 'is not decided by an operator', async () => {
    const proposal = await propose(story)
    const nobody = operator(testApp.organization, { name: 'Olive' })
    if (!story.operator) return expectRefusal(story, approve, nobody, proposal, Forbidden)
    await perform(approve, nobody, proposal)
    expect(await story.waits(proposal.id)).toBe(false)
  })

  itIf(permission === approver)('is rejected, but not approved, by a new approver', async () => {
    const proposal = await propose(story)
    const novice = await hire(`novice-${approve.replaceAll(' ', '-')}`, ['view', approver])
    await testApp.db`update memberships set approves_from = '2100-01-01' where "user" = ${novice.user}`
    await expectRefusal(story, approve, novice, proposal, Forbidden)
    await perform(reject, novice, proposal)
    expect(await story.waits(proposal.id)).toBe(false)
  })

  it('takes effect once when two persons approve it at once, with one entry', async () => {
    const proposal = await propose(story)
    const { first, second } = deciders()
    const entries = await written(async () => {
      const done = await Promise.allSettled([first, second].map((actor) => perform(approve, actor, proposal)))
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })
    expect(entries.sort()).toEqual([approve, ...(samples[approve]!.more ?? [])].sort())
    expect(await story.waits(proposal.id)).toBe(false)
  })

  itIf(story.needTwo)('counts each person once where it needs two', async () => {
    const proposal = await propose(story)
    await story.needTwo!(proposal.id)
    const { first, second } = deciders()
    const twice = await Promise.allSettled([first, first].map((actor) => perform(approve, actor, proposal)))
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await story.waits(proposal.id)).toBe(true)
    await perform(approve, second, proposal)
    expect(await story.waits(proposal.id)).toBe(false)
    const other = await propose(story)
    await story.needTwo!(other.id)
    await Promise.all([first, second].map((actor) => perform(approve, actor, other)))
    expect(await story.waits(other.id)).toBe(false)
  })

  it('is not approved once it is rejected or withdrawn, each with one entry', async () => {
    const { first, second } = deciders()
    for (const [name, actor] of [[reject, first] as const, ...(withdraw ? [[withdraw, author] as const] : [])]) {
      const proposal = await propose(story)
      const entries = await written(() => perform(name, actor, proposal))
      expect(entries.sort()).toEqual([name, ...(samples[name]!.more ?? [])].sort())
      expect(await story.waits(proposal.id)).toBe(false)
      await expectRefusal(story, approve, second, proposal, Invalid)
    }
  })

  it('is not approved by a person who has lost the permission', async () => {
    const proposal = await propose(story)
    const { user } = await hire(`demoted-${approve.replaceAll(' ', '-')}`, ['view', permission])
    const { first } = deciders()
    await testApp.db`update memberships set permissions = '{view}' where "user" = ${user}`
    await expectRefusal(story, approve, { ...first, user }, proposal, Forbidden)
  })

  it('mails those who may decide, and nobody else', async () => {
    const proposal = await propose(story)
    const options = { interval_ms: 0, service_name: 'Kusanya', console_url: 'https://pay.example/console' }
    if (mail === 'approvers') {
      await testApp.db`update memberships set approvals_mailed_at = null`
      await testApp.db`delete from approval_notices`
      await begin(testApp.db, (tx) => queueApprovalMails(tx, { now: testApp.clock.now(), ...options }, 100))
      expect(await mailed()).toEqual(await listPeople([permission], author.user!))
      return
    }
    await testApp.db`delete from mails`
    await perform(approve, deciders().first, proposal)
    expect(await mailed()).toEqual(mail === null ? [] : await listPeople(['manage_organization', approver]))
  })

  it(story.expired ? 'expires' : 'waits without an end', async () => {
    const proposal = await propose(story)
    testApp.clock.advance(MONTH_S)
    const { first } = deciders()
    if (!story.expired) return perform(approve, first, proposal)
    await expectRefusal(story, approve, first, proposal, Invalid)
    await expect(perform(reject, first, proposal)).rejects.toThrow(story.expired)
  })
})
