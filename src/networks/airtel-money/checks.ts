import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
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
  if (access.outcome === 'token')
    return { name, outcome: 'ok', message: getMessage('airtel.accepts_client_id_client_secret') }
  if (!access.message.startsWith(CREDENTIALS_REFUSED)) return { name, outcome: 'unknown', message: access.message }
  return { name, outcome: 'failed', message: `${access.message} ${CREDENTIALS_HELP}` }
}

function untried(name: string): CheckResult {
  return { name, outcome: 'skipped', message: getMessage('drivers.cannot_tried_without') }
}

async function checkBalance(client: AirtelClient): Promise<CheckResult> {
  const name = 'balance'
  const reply = await askBalance(client, walletsOf(client)[0])
  const refusal = refusalIn(reply)
  if (refusal) return { name, outcome: 'failed', message: refusal }
  const found = readBalance(client, reply)
  if ('outcome' in found) return { name, outcome: 'unknown', message: found.message }
  const shown = `${found.currency} ${displayAmount(found.amount)}`
  if (found.currency === client.currency)
    return { name, outcome: 'ok', message: getMessage('airtel.balance', { shown }) }
  const message = getMessage('airtel.wallet_connection_check', { shown, currency: client.currency })
  return { name, outcome: 'failed', message }
}

/** Return the fault in our settings, if the codes name it. */
function refusalIn(reply: Reply | UnknownOutcome): string | undefined {
  if ('outcome' in reply) return undefined
  if (reply.http_status === 403) return getMessage('airtel.forbids_call_ask')
  const said = readCodes(reply.codes, collectionCodes)
  if (said?.meaning.says !== 'refused') return undefined
  return `${said.meaning.message} (${said.code}) ${said.meaning.repair ?? ''}`.trim()
}

async function checkKey(client: AirtelClient): Promise<CheckResult> {
  const name = 'encryption key'
  const { pin, collection_version } = client.settings
  if (pin === undefined && collection_version === 'v1')
    return { name, outcome: 'skipped', message: getMessage('airtel.not_needed_nothing') }
  const found = await client.publicKey()
  return found.outcome === 'found'
    ? { name, outcome: 'ok', message: getMessage('airtel.gives_key_pin') }
    : {
        name,
        outcome: 'failed',
        message: getMessage('airtel.ask_open_product', { problem_text: found.message }),
      }
}

function checkPin({ settings }: AirtelClient): CheckResult {
  const message = settings.pin ? getMessage('airtel.checks_pin_only') : getMessage('airtel.no_pin_connection')
  return { name: 'pin', outcome: 'skipped', message }
}

function checkCallback({ tools, settings, isSimulated }: AirtelClient): CheckResult {
  const name = 'callback address'
  const address = tools.callbackUrl(null)
  if (!address.startsWith('https://') && !isSimulated())
    return { name, outcome: 'failed', message: getMessage('airtel.calls_only_addresses', { address }) }
  const hash = settings.callback_key
    ? ''
    : ' Switch callback authentication on there, and enter its key as callback_key.'
  const message = `Airtel does not say which address it calls. Enter ${address} in the portal under Application Settings.${hash}`
  return { name, outcome: 'skipped', message }
}
