import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { displayAmount } from '../../lib/money.ts'
import type { CheckResult } from '../contract.ts'
import { askBalance, readBalance, walletsOf } from './accounts.ts'
import type { Reply } from './answers.ts'
import { type AirtelClient, CREDENTIALS_HELP, CREDENTIALS_REFUSED } from './client.ts'
import { collectionCodes, readCodes } from './codes.ts'

/** Try the credentials, the country and the encryption without moving money. */
export async function test(client: AirtelClient): Promise<CheckResult[]> {
  const token = await checkToken(client)
  if (token.outcome !== 'ok') return [token, ...['balance', 'encryption key'].map(untried), checkCallback(client)]
  return [token, await checkBalance(client), await checkKey(client), checkPin(client), checkCallback(client)]
}

async function checkToken(client: AirtelClient): Promise<CheckResult> {
  const name = 'token'
  const access = await client.token()
  if (access.outcome === 'token') return { name, outcome: 'ok', message: 'Airtel accepts client_id and client_secret.' }
  if (!access.message.startsWith(CREDENTIALS_REFUSED)) return { name, outcome: 'unknown', message: access.message }
  return { name, outcome: 'failed', message: `${access.message} ${CREDENTIALS_HELP}` }
}

function untried(name: string): CheckResult {
  return { name, outcome: 'skipped', message: 'It cannot be tried without an access token.' }
}

async function checkBalance(client: AirtelClient): Promise<CheckResult> {
  const name = 'balance'
  const reply = await askBalance(client, walletsOf(client)[0])
  const refusal = refusalIn(reply)
  if (refusal) return { name, outcome: 'failed', message: refusal }
  const found = readBalance(client, reply)
  if ('outcome' in found) return { name, outcome: 'unknown', message: found.message }
  const shown = `${found.currency} ${displayAmount(found.amount)}`
  if (found.currency === client.currency) return { name, outcome: 'ok', message: `The balance is ${shown}.` }
  const message = `The wallet has ${shown}, and this connection is for ${client.currency}. Check country and currency.`
  return { name, outcome: 'failed', message }
}

/** Return the fault in our settings, if the codes name it. */
function refusalIn(reply: Reply | UnknownOutcome): string | undefined {
  if ('outcome' in reply) return undefined
  if (reply.http_status === 403)
    return 'Airtel forbids the call. Ask Airtel to open the product Account for this application.'
  const said = readCodes(reply.codes, collectionCodes)
  if (said?.meaning.says !== 'refused') return undefined
  return `${said.meaning.message} (${said.code}) ${said.meaning.repair ?? ''}`.trim()
}

async function checkKey(client: AirtelClient): Promise<CheckResult> {
  const name = 'encryption key'
  const { pin, collection_version } = client.settings
  if (pin === undefined && collection_version === 'v1')
    return { name, outcome: 'skipped', message: 'It is not needed: nothing is signed, and there is no PIN.' }
  const found = await client.publicKey()
  return found.outcome === 'found'
    ? { name, outcome: 'ok', message: 'Airtel gives a key for the PIN and for signatures.' }
    : {
        name,
        outcome: 'failed',
        message: `${found.message} Ask Airtel to open the product Encryption for this application.`,
      }
}

function checkPin({ settings }: AirtelClient): CheckResult {
  const message = settings.pin
    ? 'Airtel checks the PIN only at a payout. Try one of the smallest amount.'
    : 'There is no PIN, so this connection sends no money.'
  return { name: 'pin', outcome: 'skipped', message }
}

function checkCallback({ tools, settings, isSimulated }: AirtelClient): CheckResult {
  const name = 'callback address'
  const address = tools.callbackUrl(null)
  if (!address.startsWith('https://') && !isSimulated())
    return { name, outcome: 'failed', message: `Airtel calls only addresses with https, and ours is ${address}.` }
  const hash = settings.callback_key
    ? ''
    : ' Switch callback authentication on there, and enter its key as callback_key.'
  const message = `Airtel does not say which address it calls. Enter ${address} in the portal under Application Settings.${hash}`
  return { name, outcome: 'skipped', message }
}
