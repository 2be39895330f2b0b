import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import type { CheckResult } from '../contract.ts'
import { registeredAddress } from './addresses.ts'
import { post, unclear } from './calls.ts'
import { identify } from './charge.ts'
import { askForBalance } from './payout.ts'
import { tryPull } from './pull.ts'
import { callbackAddressFault, initiatorOf, type Session } from './settings.ts'
import { toMessage } from './wire.ts'

/** Try the credentials without moving money. Each result says which setting is wrong, if one is. */
export async function test(session: Session): Promise<CheckResult[]> {
  const { settings } = session.connection
  const credentials = await testShortCode(session)
  const no_token = credentials[0]?.outcome !== 'ok'
  return [
    ...credentials,
    testCallbackAddress(session),
    ...(settings.initiator ? [no_token ? skipped('initiator') : await testInitiator(session)] : []),
    ...(settings.pull_transactions ? [no_token ? skipped('pull transactions') : await testPull(session)] : []),
    {
      name: 'confirmations',
      outcome: 'skipped',
      message: getMessage('daraja.not_say_addresses', {
        address: registeredAddress(session, 'confirmation'),
        other_address: registeredAddress(session, 'validation'),
      }),
    },
  ]
}

/**
 * Test the token, and the short code with its passkey, by a query for a missing prompt. Daraja refuses the password
 * before it looks for the prompt.
 */
async function testShortCode(session: Session): Promise<CheckResult[]> {
  const { passkey, short_code } = session.connection.settings
  const reply = await post(session, 'charge status', '/mpesa/stkpushquery/v1/query', {
    ...identify(session),
    CheckoutRequestID: 'ws_CO_01012020000000000000000000',
  })
  if (reply.outcome === 'not_sent') return [{ name: 'token', outcome: 'failed', message: reply.message }]
  if (reply.outcome === 'unknown') return [{ name: 'token', outcome: 'unknown', message: reply.message }]
  const token: CheckResult = { name: 'token', outcome: 'ok', message: getMessage('daraja.accepts_consumer_key') }
  const name = 'short code and passkey'
  if (!passkey) return [token, { name, outcome: 'skipped', message: getMessage('daraja.no_passkey_customers') }]
  const words = reply.error?.message ?? ''
  if (/wrong credentials/i.test(words))
    return [
      token,
      {
        name,
        outcome: 'failed',
        message: getMessage('daraja.refuses_password_check'),
      },
    ]
  if (/merchant does not exist/i.test(words))
    return [
      token,
      {
        name,
        outcome: 'failed',
        message: getMessage('daraja.not_know_short_code', { short_code }),
      },
    ]
  if (/no apiproduct match/i.test(words) || reply.error?.code === '403.001')
    return [
      token,
      {
        name,
        outcome: 'failed',
        message: getMessage('daraja.app_lacks_m'),
      },
    ]
  const is_known =
    reply.error?.code === '500.001.1001' || (reply.status === 200 && KnownPrompt.safeParse(reply.body).success)
  return is_known
    ? [token, { name, outcome: 'ok', message: getMessage('daraja.accepts_short_code', { short_code }) }]
    : [token, { name, outcome: 'unknown', message: unclear('question about a charge', reply).message }]
}

const KnownPrompt = z.object({ ResponseCode: z.coerce.string() })

function testCallbackAddress({ connection, tools }: Session): CheckResult {
  const name = 'callback address'
  const address = tools.callbackUrl(null)
  const fault = callbackAddressFault(address, connection.environment === 'production')
  return fault
    ? { name, outcome: 'failed', message: fault }
    : {
        name,
        outcome: 'ok',
        message: getMessage('daraja.accepts_whether_reached', { origin: new URL(address).origin }),
      }
}

/** Test the initiator by a query for the balance. Its result shows in the answer, which comes later. */
async function testInitiator(session: Session): Promise<CheckResult> {
  const name = 'initiator'
  if (!initiatorOf(session.connection)?.credential())
    return {
      name,
      outcome: 'failed',
      message: getMessage('daraja.password_cannot_encrypted'),
    }
  const asked = await askForBalance(session)
  return asked.outcome === 'unknown'
    ? { name, outcome: 'unknown', message: asked.message }
    : {
        name,
        outcome: 'skipped',
        message: getMessage('daraja.cannot_seen_once'),
      }
}

async function testPull(session: Session): Promise<CheckResult> {
  const name = 'pull transactions'
  const tried = await tryPull(session)
  return tried.outcome === 'page'
    ? { name, outcome: 'ok', message: getMessage('daraja.lists_payments_short') }
    : {
        name,
        outcome: 'failed',
        message: getMessage('daraja.ask_safaricom_switch', { problem_text: tried.message }),
      }
}

/** Register our addresses at Daraja. In production it takes them once. */
export async function setUp(session: Session): Promise<CheckResult[]> {
  const { pull_transactions } = session.connection.settings
  const fault = callbackAddressFault(session.tools.callbackUrl(null), session.connection.environment === 'production')
  if (fault) return [{ name: 'confirmations', outcome: 'failed', message: fault }]
  return [await registerConfirmations(session), ...(pull_transactions ? [await registerPull(session)] : [])]
}

async function registerConfirmations(session: Session): Promise<CheckResult> {
  const { settings } = session.connection
  const name = 'confirmations'
  const reply = await post(session, 'set up', `/mpesa/c2b/${settings.c2b_version}/registerurl`, {
    ShortCode: Number(settings.short_code),
    ResponseType: settings.unanswered_validation,
    ConfirmationURL: registeredAddress(session, 'confirmation'),
    ValidationURL: registeredAddress(session, 'validation'),
  })
  if (reply.outcome === 'not_sent') return { name, outcome: 'failed', message: reply.message }
  if (reply.outcome === 'unknown') return { name, outcome: 'unknown', message: reply.message }
  if (reply.status === 200 && !reply.error && Registered.safeParse(reply.body).success)
    return {
      name,
      outcome: 'ok',
      message: getMessage('daraja.registered_addresses_validation'),
    }
  const words = toMessage(reply.error?.message ?? '', '')
  if (/already registered|duplicate notification/i.test(words))
    return {
      name,
      outcome: 'unknown',
      message: getMessage('daraja.addresses_registered_already', {
        address: registeredAddress(session, 'confirmation'),
      }),
    }
  return reply.error
    ? { name, outcome: 'failed', message: `Daraja refuses: ${words || reply.error.code}` }
    : { name, outcome: 'unknown', message: unclear('set-up', reply).message }
}

async function registerPull(session: Session): Promise<CheckResult> {
  const { short_code, nominated_number } = session.connection.settings
  const name = 'pull transactions'
  const reply = await post(session, 'set up', '/pulltransactions/v1/register', {
    ShortCode: short_code,
    RequestType: 'Pull',
    NominatedNumber: nominated_number ?? '',
    CallBackURL: registeredAddress(session, 'confirmation'),
  })
  if (reply.outcome === 'not_sent') return { name, outcome: 'failed', message: reply.message }
  if (reply.outcome === 'unknown') return { name, outcome: 'unknown', message: reply.message }
  const status = PullRegistered.safeParse(reply.body).data
  if (status === '1000') return { name, outcome: 'ok', message: getMessage('daraja.pull_transactions_registered') }
  if (status === '1001')
    return { name, outcome: 'ok', message: getMessage('daraja.pull_transactions_registered_already') }
  return {
    name,
    outcome: 'failed',
    message: getMessage('daraja.check_nominated_number_ask', { problem_text: unclear('registration', reply).message }),
  }
}

/** `0`, and in version 2 `00000000`. */
const Registered = z.union([
  z.object({ ResponseCode: z.union([z.string(), z.number()]).transform(String).pipe(z.string().regex(/^0+$/)) }),
  // Version 1 says it in words alone.
  z.object({ ResponseCode: z.undefined(), ResponseDescription: z.string().regex(/^\s{0,9}success/i) }),
])
/** The name of the status is written with a blank by some, without by others. */
const PullRegistered = z.union([
  z.object({ 'Response Status': z.coerce.string() }).transform((body) => body['Response Status']),
  z.object({ ResponseStatus: z.coerce.string() }).transform((body) => body.ResponseStatus),
])

const skipped = (name: string): CheckResult => ({
  name,
  outcome: 'skipped',
  message: getMessage('daraja.cannot_tried_without'),
})
