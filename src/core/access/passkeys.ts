import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { errorMessage, fieldMessages, id, requiredText, timestamp } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { removeUnneededRecoveryCodes } from './second-factors.ts'

/*
 * Passkeys (WebAuthn) as second factors. The browser asks for options with a challenge, the passkey signs the challenge, and
 * the answer is checked here. The library is loaded with the first passkey, because it is large.
 */

/** The purpose of the key that makes user handles. */
export const USER_HANDLE_PURPOSE = 'passkey user handles'

/** Maximum time from the options to the answer. */
const CHALLENGE_MS = 5 * 60 * 1_000
const MAX_PASSKEYS = 20
/** Algorithms of passkeys: EdDSA, ES256 and RS256. Each version of Node can check these. */
const ALGORITHMS = [-8, -7, -257]
const MAX_PUBLIC_KEY_BYTES = 1_024
const MAX_CREDENTIAL_ID_BYTES = 1_023

/** Addresses that the passkeys of this installation belong to. */
export interface RelyingParty {
  /** The domain, such as `pay.example.com`. */
  domain: string
  /** The only origin from which answers are accepted, such as `https://pay.example.com`. */
  origin: string
}

/**
 * The relying party of a service with this public URL. Passkeys need https and a name, and a machine's own address is
 * `localhost` to them. Undefined if the service has no such address, so that passkeys cannot work.
 */
export function relyingPartyOf(public_url: string): RelyingParty | undefined {
  const url = new URL(public_url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (/^127\./.test(host) || host === '::1') url.hostname = 'localhost'
  else if (isIP(host)) return undefined
  const { hostname: domain, origin, protocol } = url
  const is_local = domain === 'localhost' || domain.endsWith('.localhost')
  return protocol === 'https:' || is_local ? { domain, origin } : undefined
}

const encoded = (max: number) =>
  z
    .string({ error: errorMessage(fieldMessages.string) })
    .regex(/^[\w-]*$/, getMessage('access.base64url'))
    .max(max, fieldMessages.too_long(max))

const credential = { id: encoded(1_400), rawId: encoded(1_400), type: z.literal('public-key') }

/** The answer of a browser that has used a passkey. */
export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded(4_000),
    authenticatorData: encoded(4_000),
    signature: encoded(2_000),
    userHandle: encoded(200).nullish(),
  }),
})
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>

/** The answer of a browser that has made a passkey. */
export const PasskeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded(4_000),
    attestationObject: encoded(20_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type PasskeyAttestation = z.output<typeof PasskeyAttestation>

/** The name that a person gives a passkey. */
export const passkeyName = requiredText(60)

/** A passkey as the console shows it to its user. */
export const PasskeyView = z.object({
  id,
  name: z.string(),
  /** The domain at which it works. */
  domain: z.string(),
  synced: z.boolean(),
  created: timestamp,
  last_used: timestamp.nullable(),
})
export type PasskeyView = z.output<typeof PasskeyView>

/** The passkeys of a user. */
export const PasskeyList = z.object({
  /** Origin where passkeys work, such as `https://pay.example.com`; null if the service has no such address. */
  origin: z.string().nullable(),
  results: z.array(PasskeyView),
})

/** A passkey that was just added. */
export const AddedPasskey = z.object({
  passkey: PasskeyView,
  /** Shown only once, with the first second factor of a user. */
  recovery_codes: z.array(z.string()).nullable(),
})

const passkeyTable = table('passkeys', {
  id: column.id(),
  user: column.bigint(),
  credential_id: column.bytea(),
  public_key: column.bytea(),
  counter: column.bigint(),
  transports: column.texts(),
  domain: column.text(),
  name: column.text(),
  synced: column.boolean(),
  created: column.timestamptz(),
  last_used: column.timestamptz().later(),
})
const shownPasskey = passkeyTable.pick('id', 'name', 'domain', 'synced', 'created', 'last_used')

const challengeTable = table('passkey_challenges', {
  session: column.bigint().key(),
  purpose: column.text<ChallengePurpose>().key(),
  challenge: column.bytea(),
  expires: column.timestamptz(),
})

/** Lists the passkeys of a user, oldest first. */
export async function listPasskeys(db: Reader, user: number): Promise<PasskeyView[]> {
  const rows = await db<PasskeyView[]>`
    select ${shownPasskey.columns} from passkeys where "user" = ${user} order by id`
  return [...rows]
}

/** The options with which a browser makes a passkey, and their challenge, for `keepChallenge`. */
export async function creationOptions(
  db: Reader,
  party: RelyingParty,
  user: { id: number; name: string; email: string },
  settings: { service_name: string; handle_key: string },
): Promise<{ challenge: Buffer; options: PublicKeyCredentialCreationOptionsJSON }> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const challenge = randomBytes(32)
  const options = await generateRegistrationOptions({
    rpName: settings.service_name,
    rpID: party.domain,
    userID: new Uint8Array(userHandle(settings.handle_key, user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MS,
    excludeCredentials: await listCredentials(db, party, user.id),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { challenge, options }
}

/** The options with which a browser uses a passkey of this user, and their challenge, for `keepChallenge`. */
export async function requestOptions(
  db: Reader,
  party: RelyingParty,
  user: number,
): Promise<{ challenge: Buffer; options: PublicKeyCredentialRequestOptionsJSON }> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const challenge = randomBytes(32)
  const options = await generateAuthenticationOptions({
    rpID: party.domain,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MS,
    allowCredentials: await listCredentials(db, party, user),
    userVerification: 'preferred',
  })
  return { challenge, options }
}

async function listCredentials(db: Reader, party: RelyingParty, user: number) {
  const rows = await db<{ credential_id: Buffer; transports: string[] }[]>`
    select credential_id, transports from passkeys where "user" = ${user} and domain = ${party.domain} order by id`
  return rows.map(({ credential_id, transports }) => ({ id: credential_id.toString('base64url'), transports }))
}

/** Purpose of a session's challenge. An answer for one purpose is not accepted for another. */
export type ChallengePurpose = 'add' | 'sign_in' | 'confirm'

/** Keeps the challenge that the next answer of this session must have. An earlier one becomes invalid. */
export async function keepChallenge(
  tx: Tx,
  now: Date,
  input: { session: number; purpose: ChallengePurpose; challenge: Buffer },
): Promise<void> {
  const expires = new Date(now.getTime() + CHALLENGE_MS)
  await tx`
    ${insert(challengeTable, [input], { expires })} where exists (select from sessions s where s.id = r.session)
    ${challengeTable.replace(['challenge', 'expires'])}`
}

/**
 * Takes the challenge of a session, so that nothing can use it again. This transaction must commit before the answer is
 * checked. Undefined if there is none, or if it has expired.
 */
export async function takeChallenge(
  tx: Tx,
  now: Date,
  input: { session: number; purpose: ChallengePurpose },
): Promise<Buffer | undefined> {
  const [row] = await tx<{ challenge: Buffer; expires: Date }[]>`
    delete from passkey_challenges where session = ${input.session} and purpose = ${input.purpose}
    returning challenge, expires`
  return row && row.expires > now ? row.challenge : undefined
}

/** A passkey whose answer was correct. */
export type NewPasskey = Pick<
  Row<typeof passkeyTable>,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'domain' | 'synced'
>

/** Checks the answer of a browser that has made a passkey. Undefined if anything about it is wrong. */
export async function checkAttestation(
  party: RelyingParty,
  challenge: Buffer,
  answer: PasskeyAttestation,
): Promise<NewPasskey | undefined> {
  try {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: await withoutStatement(answer),
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.domain,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp: synced } = registrationInfo
    const credential_id = Buffer.from(credential.id, 'base64url')
    const public_key = Buffer.from(credential.publicKey)
    // The library compares neither the two ids nor their length.
    if (credential.id !== answer.id || credential_id.length > MAX_CREDENTIAL_ID_BYTES) return undefined
    if (public_key.length > MAX_PUBLIC_KEY_BYTES) return undefined
    const transports = answer.response.transports ?? []
    return { credential_id, public_key, counter: credential.counter, transports, domain: party.domain, synced }
  } catch {
    return undefined
  }
}

/**
 * Removes the statement about the make of the device, which we do not ask for. To check one, the library would call
 * addresses that the statement names.
 */
async function withoutStatement(answer: PasskeyAttestation) {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject)).get('authData')
  const bare = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  const { id, rawId, type } = answer
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(bare))
  const { clientDataJSON } = answer.response
  return { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} }
}

/** Adds a passkey to a user. @throws Invalid if it is in use already, or if the user has too many */
export async function addPasskey(
  tx: Tx,
  now: Date,
  input: { user: number; name: string; passkey: NewPasskey },
): Promise<PasskeyView> {
  const { user, name, passkey } = input
  // Locked, so that two at the same time do not pass the limit.
  await tx`select 1 from users where id = ${user} for update`
  const [present] = await tx<{ count: number }[]>`select count(*) from passkeys where "user" = ${user}`
  if (present!.count >= MAX_PASSKEYS)
    throw new Invalid({ non_field_errors: [getMessage('access.many_passkeys', { max: MAX_PASSKEYS })] })
  const [row] = await tx<PasskeyView[]>`
    ${insert(passkeyTable, [passkey], { user, name: name.trim(), created: now })}
    on conflict (credential_id) do nothing returning ${shownPasskey.columns}`
  if (!row) throw new Invalid({ non_field_errors: [getMessage('access.passkey_known')] })
  return row
}

/** A passkey that was used correctly. */
export type PasskeyUse = Pick<Row<typeof passkeyTable>, 'id' | 'name' | 'counter' | 'synced'>

/**
 * Checks the answer of a browser that has used a passkey of this user. It changes nothing: `recordPasskeyUse` follows.
 * Undefined if anything about it is wrong, also if its counter has not moved forward.
 */
export async function checkAssertion(
  db: Reader,
  party: RelyingParty,
  input: { user: number; challenge: Buffer; answer: PasskeyAssertion },
): Promise<PasskeyUse | undefined> {
  const { user, challenge, answer } = input
  const [passkey] = await db<{ id: number; name: string; public_key: Buffer; counter: number }[]>`
    select id, name, public_key, counter from passkeys
    where credential_id = ${Buffer.from(answer.id, 'base64url')} and "user" = ${user} and domain = ${party.domain}`
  if (!passkey) return undefined
  const { id, name, public_key, counter } = passkey
  try {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const userHandle = answer.response.userHandle ?? undefined
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response: { ...answer.response, userHandle }, clientExtensionResults: {} },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.domain,
      credential: { id: answer.id, publicKey: new Uint8Array(public_key), counter },
      requireUserVerification: false,
    })
    if (!verified) return undefined
    return { id, name, counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}

/**
 * Records the use of a passkey with its new counter.
 * @returns false if another use has moved the counter as far meanwhile, or if the passkey was removed: refuse this use
 */
export async function recordPasskeyUse(tx: Tx, now: Date, use: PasskeyUse): Promise<boolean> {
  const [row] = await tx`
    update passkeys set counter = ${use.counter}, synced = ${use.synced}, last_used = ${now}
    where id = ${use.id} and (counter < ${use.counter} or (counter = 0 and ${use.counter}::bigint = 0)) returning id`
  return row !== undefined
}

/** Gives a passkey of a user another name. @throws NotFound */
export async function renamePasskey(
  tx: Tx,
  input: { user: number; passkey: number; name: string },
): Promise<PasskeyView> {
  const [row] = await tx<PasskeyView[]>`
    update passkeys set name = ${input.name.trim()} where id = ${input.passkey} and "user" = ${input.user}
    returning ${shownPasskey.columns}`
  if (!row) throw new NotFound()
  return row
}

/** Removes a passkey of a user, and the recovery codes with the last second factor. @throws NotFound */
export async function removePasskey(tx: Tx, user: number, passkey: number): Promise<PasskeyView> {
  const [row] = await tx<PasskeyView[]>`
    delete from passkeys where id = ${passkey} and "user" = ${user}
    returning ${shownPasskey.columns}`
  if (!row) throw new NotFound()
  await removeUnneededRecoveryCodes(tx, user)
  return row
}

/**
 * Returns the handle by which a passkey knows its user: the same for all passkeys of a user, different in every
 * installation.
 */
function userHandle(key: string, user: number): Buffer {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(String(user)).digest()
}

/** Returns the refusal of an answer. It gives no reason, which would help only those who try to forge one. */
export function refusedPasskey(): Invalid {
  return new Invalid({ non_field_errors: [getMessage('access.refused_passkey')] })
}
