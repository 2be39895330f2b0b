import { generateSync } from 'otplib'
import { createKey } from '../../src/core/access/api-keys.ts'
import { createPasswordReset } from '../../src/core/access/invitations.ts'
import { createUser, findUser, setMembership } from '../../src/core/access/organizations.ts'
import { addPasskey } from '../../src/core/access/passkeys.ts'
import { createView } from '../../src/core/access/saved-views.ts'
import {
  confirmSecondFactor,
  SECOND_FACTOR_PURPOSE,
  startSecondFactorSetup,
} from '../../src/core/access/second-factors.ts'
import { findSession, startSession } from '../../src/core/access/sessions.ts'
import { createSigningUser, SIGNING_KEY_PURPOSE } from '../../src/core/access/signing-users.ts'
import { begin, type Tx } from '../../src/db/client.ts'
import type { TestApp } from '../test-app.ts'
import type { Sample } from './samples.ts'

/* Samples of what users do on their own account, and of the names that sign requests. */

let _number = 0
const nextNumber = () => {
  _number += 1
  return String(_number).padStart(4, '0')
}

/** The user on whose account an action is tried: the newest of these. */
async function selfOf(tx: Tx): Promise<number> {
  const [row] = await tx<{ id: number }[]>`select id from users where email like 'self-%' order by id desc limit 1`
  return row!.id
}

async function anAppSetup(tx: Tx, { app }: TestApp, user: number) {
  const options = { issuer: 'Kusanya', sealing_keys: app.sealingKeys(SECOND_FACTOR_PURPOSE) }
  const { secret } = await startSecondFactorSetup(tx, { id: user, email: 'self@shop.example' }, options)
  return { code: generateSync({ secret }) }
}

async function anApp(tx: Tx, testApp: TestApp, of?: number): Promise<undefined> {
  const { app, clock } = testApp
  const user = of ?? (await selfOf(tx))
  const { code } = await anAppSetup(tx, testApp, user)
  await confirmSecondFactor(tx, clock.real(), { user, code, sealing_keys: app.sealingKeys(SECOND_FACTOR_PURPOSE) })
}

/** Give a user an authenticator app. */
export function addAppFor(testApp: TestApp, user: number): Promise<undefined> {
  return begin(testApp.db, (tx) => anApp(tx, testApp, user))
}

const newPasskey = () => ({
  credential_id: Buffer.from(`credential ${nextNumber()}`),
  public_key: Buffer.from('public key'),
  counter: 0,
  transports: [],
  domain: 'localhost',
  synced: false,
})

async function aPasskey(tx: Tx, { clock }: TestApp) {
  const input = { user: await selfOf(tx), name: 'Phone', passkey: newPasskey() }
  return { id: (await addPasskey(tx, clock.real(), input)).id }
}

async function aKey(tx: Tx, { organization, clock }: TestApp): Promise<number> {
  const { id: user } = (await findUser(tx, 'owner@demo.example'))!
  return (await createKey(tx, clock.now(), { organization, user, name: 'Webshop', max_keys: 100 })).row.id
}

async function aSigningUser(tx: Tx, testApp: TestApp) {
  const input = { username: `shop-${nextNumber()}`, api_key: await aKey(tx, testApp) }
  const keys = testApp.app.sealingKeys(SIGNING_KEY_PURPOSE)
  return { username: (await createSigningUser(tx, testApp.clock.now(), input, keys)).row.username }
}

const list = '/payments'
async function aView(tx: Tx, { organization, clock }: TestApp) {
  await tx`delete from saved_views`
  const { id: user } = (await findUser(tx, 'owner@demo.example'))!
  return { id: (await createView(tx, clock.real(), { organization, user }, { list, name: 'Mine', search: {} })).id }
}

const OWNER = 'owner@demo.example'
const silent = { is_silent: true } as const
const browser = { user_agent: 'Test', cookie: '', former: undefined }

async function ownerIn(tx: Tx): Promise<number> {
  return (await findUser(tx, 'owner@demo.example'))!.id
}

async function aSession(tx: Tx, { organization, clock }: TestApp) {
  const input = { user: await ownerIn(tx), complete: true, address: '192.0.2.1', user_agent: 'Test' }
  const token = await startSession(tx, clock.real(), input)
  return { session: await findSession(tx, clock.real(), token), organization }
}

async function aResetLink(tx: Tx, testApp: TestApp) {
  const { clock } = testApp
  await unlockedUser(tx, testApp)
  const user = (await findUser(tx, 'unlocked@shop.example'))!
  const token = await createPasswordReset(tx, clock.real(), { user, author: null })
  return { token, prepare: async () => 'hash', approver_wait_ms: 0, browser }
}
const ofView = { ...silent, as_person: true } as const

async function unlockedUser(tx: Tx, { organization, clock }: TestApp): Promise<undefined> {
  const email = 'unlocked@shop.example'
  if (await findUser(tx, email)) return
  const { id: user } = await createUser(tx, clock.now(), { name: 'Ulla', email })
  await setMembership(tx, clock.now(), { organization, user, permissions: ['view'] })
}

/** Samples of these actions, by name. */
export const account: Readonly<Record<string, Sample>> = {
  'set password': {
    input: { email: 'unlocked@shop.example', password_hash: 'hash' },
    prepare: unlockedUser,
  },
  'unlock sign-in': { input: { email: 'unlocked@shop.example' }, prepare: unlockedUser },
  'set language': { ...silent, input: { language: 'fr' }, wrong: [{ language: 'xx' }] },
  'change password': { input: { password_hash: 'hash' } },
  'start app setup': silent,
  'turn second factor on': { prepare: async (tx, testApp) => anAppSetup(tx, testApp, await selfOf(tx)) },
  'turn second factor off': { prepare: (tx, testApp) => anApp(tx, testApp) },
  'draw recovery codes': { prepare: (tx, testApp) => anApp(tx, testApp) },
  'add passkey': { prepare: async () => ({ name: 'Phone', passkey: newPasskey() }) },
  'rename passkey': { input: { name: 'Laptop' }, prepare: aPasskey, wrong: [{ name: ' ' }] },
  'remove passkey': { prepare: aPasskey },
  'forget browsers': {},
  'forget browser': {
    entry: 'forget browsers',
    async prepare(tx) {
      const [row] = await tx<{ id: number }[]>`select id from known_browsers where "user" = ${await selfOf(tx)}`
      return { id: row!.id }
    },
  },
  'sign out everywhere': { input: { end_keys: false } },
  'sign in': {
    input: { email: OWNER, browser },
    async prepare(tx) {
      const owner = await findUser(tx, OWNER)
      return { prove: async () => owner }
    },
  },
  'complete sign-in': {
    entry: 'sign in',
    async prepare(tx, testApp) {
      const { session } = await aSession(tx, testApp)
      const input = { user: await ownerIn(tx), name: 'Phone', passkey: newPasskey() }
      const { id } = await addPasskey(tx, testApp.clock.real(), input)
      return { session, step: 'passkey', prove: async () => ({ passkey: { id, counter: 1, synced: false } }), browser }
    },
  },
  'confirm identity': { ...silent, input: { step: 'password', prove: async () => undefined } },
  'sign out': { ...silent, input: { session: 0 } },
  'switch organization': { ...silent, prepare: aSession },
  'use link': { entry: 'reset password', prepare: aResetLink },
  'forget password': { ...silent, input: { email: OWNER } },
  'keep passkey challenge': { ...silent, input: { session: 0, purpose: 'confirm', challenge: Buffer.from('1') } },
  'take passkey challenge': { ...silent, input: { session: 0, purpose: 'confirm' } },
  'save view': {
    ...ofView,
    input: { list, name: 'Mine', search: {} },
    prepare: async (tx) => void (await tx`delete from saved_views`),
    wrong: [{ list, name: ' ', search: {} }],
  },
  'change view': { ...ofView, input: { name: 'Ours', search: {} }, prepare: aView, wrong: [{ name: ' ', search: {} }] },
  'delete view': { ...ofView, prepare: aView, wrong: [{ id: 'first' }] },
  'create signing user': {
    prepare: async (tx, testApp) => ({ username: `shop-${nextNumber()}`, key: await aKey(tx, testApp) }),
  },
  'rotate signing secret': { prepare: aSigningUser },
  'revoke signing user': { prepare: aSigningUser },
}
