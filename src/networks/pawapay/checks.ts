import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { withoutTrailing } from '../../lib/text/trailing.ts'
import type { CheckResult, DriverTools } from '../contract.ts'
import { askBalances, readBalances } from './accounts.ts'
import { registeredAddresses } from './callbacks.ts'
import { accessFault, beginOperation, describe, type Reply } from './client.ts'
import {
  type ActiveConfiguration,
  askConfiguration,
  type ConfiguredOperation,
  isDown,
  operationsOf,
} from './providers.ts'
import { checkSettings, type PawapayConnection } from './settings.ts'

/** Try the token, and compare our settings with the account in pawaPay's dashboard. No money moves. */
export async function testConnection(connection: PawapayConnection, tools: DriverTools): Promise<CheckResult[]> {
  const faults = Object.entries(checkSettings(connection)).map(([name, fault]) =>
    failed('settings', `${name}: ${fault}`),
  )
  const client = beginOperation(connection, tools)
  const wallets = await askBalances(client)
  if (wallets.outcome === 'unknown') return [...faults, unanswered('token', wallets.message)]
  const refused = accessFault(wallets)
  if (refused) return [...faults, failed('token', refused)]
  const token: CheckResult = { name: 'token', outcome: 'ok', message: 'pawaPay accepts api_token.' }
  if (wallets.status !== 200)
    return [...faults, unanswered('token', `pawaPay is not available (${describe(wallets)}).`)]
  const configuration = await askConfiguration(client)
  if (!('countries' in configuration))
    return [...faults, token, testBalances(wallets), unanswered('configuration', messageOf(configuration))]
  return [
    ...faults,
    token,
    testBalances(wallets),
    testProviders(configuration),
    testRequestSignatures(connection, configuration),
    testCallbackSignatures(configuration),
    ...testAddresses(operationsOf(configuration), tools),
  ]
}

function testBalances(reply: Reply): CheckResult {
  const found = readBalances(reply)
  if (found.outcome !== 'found') return unanswered('balance', 'pawaPay did not say the balance of the wallets.')
  const shown = found.balances.map(({ name, amount, currency }) => `${name} ${currency} ${displayAmount(amount)}`)
  if (shown.length === 0) return failed('balance', getMessage('pawapay.account_no_wallet'))
  return { name: 'balance', outcome: 'ok', message: shown.join('; ') }
}

/** List the account's providers and their availability. */
function testProviders(configuration: ActiveConfiguration): CheckResult {
  const name = 'providers'
  const operations = operationsOf(configuration)
  const providers = [...new Set(operations.map(({ provider }) => provider))]
  if (providers.length === 0) return failed(name, getMessage('pawapay.no_provider_active'))
  const down = operations.filter(({ status }) => isDown(status))
  const list = down.map(({ provider, operationType, status }) => `${provider} ${operationType} ${status}`)
  const now = list.length === 0 ? '' : ` Down now: ${[...new Set(list)].join(', ')}.`
  const by_code = operations.filter(({ authType }) => authType === 'PREAUTH' || authType === 'REDIRECT_AUTH')
  const without_prompt = [...new Set(by_code.map(({ provider }) => provider))]
  const other =
    without_prompt.length === 0
      ? ''
      : ` These have no prompt on the phone and cannot collect over Kusanya: ${without_prompt.join(', ')}.`
  return { name, outcome: 'ok', message: `${providers.join(', ')}.${now}${other}` }
}

function testRequestSignatures({ settings }: PawapayConnection, { signatureConfiguration }: ActiveConfiguration) {
  const name = 'signed requests'
  const is_needed = signatureConfiguration?.signedRequestsOnly
  const has_key = settings.signing_key !== undefined
  if (is_needed && !has_key) return failed(name, getMessage('pawapay.dashboard_says_only'))
  const message = has_key ? getMessage('pawapay.orders_signed_only') : getMessage('pawapay.orders_not_signed')
  return { name, outcome: 'skipped', message } as const
}

function testCallbackSignatures({ signatureConfiguration }: ActiveConfiguration): CheckResult {
  const name = 'signed callbacks'
  if (signatureConfiguration?.signedCallbacks)
    return { name, outcome: 'ok', message: getMessage('pawapay.callbacks_signed_end') }
  const message = getMessage('pawapay.callbacks_not_signed')
  return { name, outcome: 'skipped', message }
}

const types = { deposits: 'DEPOSIT', payouts: 'PAYOUT', refunds: 'REFUND' } as const

/**
 * Compare each address with the one registered at pawaPay for its operation. Only a person can enter addresses, in the
 * dashboard: no call does it.
 */
function testAddresses(operations: readonly ConfiguredOperation[], tools: DriverTools): CheckResult[] {
  return (Object.keys(types) as (keyof typeof types)[]).map((purpose) => {
    const title = registeredAddresses[purpose]
    const name = `callback address of ${title.toLowerCase()}`
    const address = tools.callbackUrl(null, purpose)
    const own = operations.filter(({ operationType }) => operationType === types[purpose])
    const registered = [...new Set(own.flatMap(({ callbackUrl }) => callbackUrl || []))]
    const where = 'in the dashboard under System Configuration, Callback URLs'
    if (registered.length === 0)
      return { name, outcome: 'skipped', message: getMessage('pawapay.enter', { address, title, where }) } as const
    if (registered.every((one) => withoutTrailing(one, '/') === address))
      return { name, outcome: 'ok', message: getMessage('pawapay.registered', { address }) } as const
    return failed(name, getMessage('pawapay.another_address_registered', { title, address, where }))
  })
}

function messageOf(answer: Exclude<Awaited<ReturnType<typeof askConfiguration>>, ActiveConfiguration>): string {
  return 'message' in answer ? answer.message : `pawaPay did not say its configuration (${describe(answer)}).`
}

function failed(name: string, message: string): CheckResult {
  return { name, outcome: 'failed', message }
}

function unanswered(name: string, message: string): CheckResult {
  return { name, outcome: 'unknown', message }
}
