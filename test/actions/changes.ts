import type { Permission } from '../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../src/core/access/organizations.ts'
import { writeRole } from '../../src/core/access/roles.ts'
import { SECOND_FACTOR_PURPOSE } from '../../src/core/access/second-factors.ts'
import { digestOf } from '../../src/core/approvals/changes/connection-kinds.ts'
import { getConnection } from '../../src/core/connections/connections.ts'
import { setMatchingThreshold } from '../../src/core/matching/thresholds.ts'
import { setApprovalRule } from '../../src/core/spending/approval-rules.ts'
import { setApproverLimits } from '../../src/core/spending/approver-limits.ts'
import { setPaymentLimits } from '../../src/core/spending/limits.ts'
import type { Tx } from '../../src/db/client.ts'
import { encrypt } from '../../src/lib/secrets.ts'
import { storeConnection } from '../connections/fake-connection.ts'
import type { TestApp } from '../test-app.ts'
import { aContact, aPayment, aRequest, aWallet } from './objects.ts'
import type { Sample } from './samples.ts'

/* Samples of changes of who may move money and how much. Each weakens control unless it says otherwise. */

let _number = 0
const nextNumber = () => {
  _number += 1
  return String(_number).padStart(4, '0')
}

async function aUser(tx: Tx, { organization, clock }: TestApp, permissions: readonly Permission[]) {
  const email = `user${nextNumber()}@shop.example`
  const { id: user } = await createUser(tx, clock.now(), { name: 'Till', email })
  await setMembership(tx, clock.now(), { organization, user, permissions })
  return { user, email }
}

/** A user with an authenticator app. */
async function aGuardedUser(tx: Tx, testApp: TestApp) {
  const made = await aUser(tx, testApp, ['view'])
  const secret = encrypt(testApp.app.sealingKeys(SECOND_FACTOR_PURPOSE), 'secret of an app')
  await tx`update users set totp_secret = ${secret}, totp_confirmed = now() where id = ${made.user}`
  return made
}

/** An own connection in a state, which has passed its test. */
async function aConnection(tx: Tx, { organization }: TestApp, state = 'active') {
  const slug = `own-${nextNumber()}`
  await storeConnection(tx, slug)
  await tx`
    update connections set organization = ${organization}, state = ${state}, tested = now(),
      last_test = ${JSON.stringify([{ name: 'token', outcome: 'ok', message: 'It works.' }])} where slug = ${slug}`
  return { slug }
}

const currency = 'BXC'
/** Let all money that is matched by hand wait for another person. */
const matchByTwo = async (tx: Tx, { organization }: TestApp) =>
  void (await setMatchingThreshold(tx, organization, { currency, threshold: 1n }))

const wrong = [{ currency }, { currency, threshold: 'much' }]

/** Samples of these actions, by name. */
export const changes: Readonly<Record<string, Sample>> = {
  'create user': {
    entry: 'create user',
    prepare: async () => ({ name: 'Till', email: `new${nextNumber()}@shop.example`, permissions: ['view'] }),
  },
  'reset second factor of user': {
    entry: 'reset second factor',
    prepare: async (tx, testApp) => ({ email: (await aGuardedUser(tx, testApp)).email }),
  },
  'change permissions': {
    async prepare(tx, testApp) {
      const { user } = await aUser(tx, testApp, ['view'])
      return { user, permissions: ['view', 'initiate_payments'] }
    },
  },
  'invite user': {
    prepare: async () => ({ email: `guest${nextNumber()}@shop.example`, permissions: ['approve_payments'] }),
  },
  'reset second factor': { prepare: async (tx, testApp) => ({ user: (await aGuardedUser(tx, testApp)).user }) },
  'create role': {
    prepare: async (tx) => {
      await tx`delete from roles`
      return {
        name: `Cashier ${nextNumber()}`,
        permissions: ['view', 'initiate_payments', 'pay_bills', 'erase_contacts'],
      }
    },
    wrong: [{ name: ' ', permissions: ['view'] }, { name: 'Cashier' }, { name: 'Cashier', permissions: ['fly'] }],
  },
  'change role': {
    async prepare(tx, { organization, clock }) {
      await tx`delete from roles`
      const name = `Clerk ${nextNumber()}`
      const permissions: Permission[] = ['view', 'erase_contacts']
      const id = await writeRole(tx, clock.now(), organization, { name, permissions }, null)
      return { id, name, permissions: ['view', 'initiate_payments', 'erase_contacts'] }
    },
    wrong: [{ name: ' ' }],
  },
  'set approval': {
    input: { currency: 'bxc', threshold: '5000' },
    prepare: async (tx, { organization }) =>
      void (await setApprovalRule(tx, { organization, currency, threshold: 1n })),
    wrong,
  },
  'set approver limits': {
    input: { per_payment: '', per_day: '' },
    async prepare(tx, testApp) {
      const { user } = await aUser(tx, testApp, ['view', 'approve_payments'])
      await setApproverLimits(tx, {
        organization: testApp.organization,
        user,
        currency,
        per_payment: 1n,
        per_day: null,
      })
      return { user, currency }
    },
    wrong: [{ currency, per_payment: 'much' }],
  },
  'set payment limits': {
    input: { currency, per_day: '', per_recipient: '', per_user: '' },
    prepare: async (tx, { organization }) =>
      void (await setPaymentLimits(tx, {
        organization,
        currency,
        per_day: 10n ** 12n,
        per_recipient: null,
        per_user: null,
      })),
    wrong: [{ currency, per_day: 'much' }],
  },
  'demand second factor': { input: { required: 'no' }, at_once: true, entry: 'demand no second factor', wrong: [{}] },
  'set matching threshold': { input: { currency, threshold: '' }, prepare: matchByTwo, wrong: wrong.slice(1) },
  'allocate collection': {
    async prepare(tx, testApp) {
      await matchByTwo(tx, testApp)
      const { id: collection } = await aPayment(tx, testApp)
      return { collection, parts: [{ target: { contact: (await aContact(tx, testApp)).id } }] }
    },
  },
  'match collection': {
    async prepare(tx, testApp) {
      await matchByTwo(tx, testApp)
      const { id: collection } = await aPayment(tx, testApp)
      return { collection, collection_request: (await aRequest(tx, testApp, 'instructions_sent')).id }
    },
  },
  'use own connection': { entry: 'resume connection', prepare: (tx, testApp) => aConnection(tx, testApp, 'draft') },
  'pause own connection': { at_once: true, entry: 'pause connection', prepare: aConnection },
  'remove own connection': {
    at_once: true,
    entry: 'remove connection',
    prepare: (tx, testApp) => aConnection(tx, testApp, 'paused'),
  },
  'set place of own connection': {
    entry: 'add place of connection',
    async prepare(tx, testApp) {
      const { id: account, number } = await aWallet(tx, testApp)
      return { ...(await aConnection(tx, testApp)), account, number }
    },
    wrong: [{ number: ' ' }, { number: '1', collects: 'perhaps' }],
  },
  'change own connection': {
    entry: 'change connection',
    async prepare(tx, testApp) {
      const { slug } = await aConnection(tx, testApp)
      const based_on = digestOf(await getConnection(tx, slug))
      return { slug, settings: { till: '2' }, sealed_secrets: null, changed: ['till'], last_test: null, based_on }
    },
  },
}
