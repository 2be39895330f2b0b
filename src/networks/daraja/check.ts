import { z } from 'zod'
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
      message: `Daraja does not say which addresses are registered. They should be ${registeredAddress(session, 'confirmation')} and ${registeredAddress(session, 'validation')}.`,
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
  const token: CheckResult = { name: 'token', outcome: 'ok', message: 'Daraja accepts the consumer key and secret.' }
  const name = 'short code and passkey'
  if (!passkey)
    return [token, { name, outcome: 'skipped', message: 'There is no passkey: customers cannot be prompted.' }]
  const words = reply.error?.message ?? ''
  if (/wrong credentials/i.test(words))
    return [
      token,
      {
        name,
        outcome: 'failed',
        message: 'Daraja refuses the password: check passkey and short_code, which belong together.',
      },
    ]
  if (/merchant does not exist/i.test(words))
    return [
      token,
      {
        name,
        outcome: 'failed',
        message: `Daraja does not know the short code ${short_code}: check short_code, and that the app went live with it.`,
      },
    ]
  if (/no apiproduct match/i.test(words) || reply.error?.code === '403.001')
    return [
      token,
      {
        name,
        outcome: 'failed',
        message: 'The app lacks M-Pesa Express: add the product to the app in the Daraja portal.',
      },
    ]
  const is_known =
    reply.error?.code === '500.001.1001' || (reply.status === 200 && KnownPrompt.safeParse(reply.body).success)
  return is_known
    ? [token, { name, outcome: 'ok', message: `Daraja accepts the short code ${short_code} with its passkey.` }]
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
        message: `Daraja accepts ${new URL(address).origin}. Whether it can be reached from outside shows with the first payment.`,
      }
}

/** Test the initiator by a query for the balance. Its result shows in the answer, which comes later. */
async function testInitiator(session: Session): Promise<CheckResult> {
  const name = 'initiator'
  if (!initiatorOf(session.connection)?.credential())
    return {
      name,
      outcome: 'failed',
      message: 'The password cannot be encrypted: check initiator_password and certificate.',
    }
  const asked = await askForBalance(session)
  return asked.outcome === 'unknown'
    ? { name, outcome: 'unknown', message: asked.message }
    : {
        name,
        outcome: 'skipped',
        message:
          'This cannot be seen at once: Daraja has taken the question for the balance, and answers at our callback address within minutes. A wrong initiator, password or certificate shows there as an alarm with the code 2001, 18, 20 or 21.',
      }
}

async function testPull(session: Session): Promise<CheckResult> {
  const name = 'pull transactions'
  const tried = await tryPull(session)
  return tried.outcome === 'page'
    ? { name, outcome: 'ok', message: 'Daraja lists the payments of the short code.' }
    : {
        name,
        outcome: 'failed',
        message: `${tried.message} Ask Safaricom to switch Pull Transactions on, and run the set-up.`,
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
      message: 'Daraja has registered the addresses. Validation has to be switched on by Safaricom.',
    }
  const words = toMessage(reply.error?.message ?? '', '')
  if (/already registered|duplicate notification/i.test(words))
    return {
      name,
      outcome: 'unknown',
      message: `Addresses are registered already, and Daraja does not say which. Compare them in the portal (My Apps, Manage URLs) with ${registeredAddress(session, 'confirmation')}; delete them there, or ask Safaricom to, before the next try.`,
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
  if (status === '1000') return { name, outcome: 'ok', message: 'Pull Transactions is registered.' }
  if (status === '1001') return { name, outcome: 'ok', message: 'Pull Transactions was registered already.' }
  return {
    name,
    outcome: 'failed',
    message: `${unclear('registration', reply).message} Check nominated_number, and ask Safaricom to switch Pull Transactions on.`,
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
  message: 'This cannot be tried without a token.',
})
