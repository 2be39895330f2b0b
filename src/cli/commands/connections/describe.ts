import type { ConnectionView } from '../../../connections/view.ts'
import { describeFloat, type FloatState } from '../../../core/ledger/balances.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'

/** Words for the providers of each kind. */
const PROVIDERS = { network: 'Network', sms: 'SMS provider', bills: 'Bill provider' } as const

/** The lines of `connections show`. */
export function describeView(view: ConnectionView): string[] {
  const whose = view.organization === null ? 'the operator' : `organization ${view.organization}`
  const money = view.live ? 'real money' : 'no real money'
  const lines: [string, string][] = [
    ['Connection', `${view.slug}, ${view.state}`],
    [PROVIDERS[view.kind], `${view.network} (${view.driver}), ${view.environment}: ${money}`],
    ['Belongs to', whose],
    ...describeSource(view),
    ['Limits', `${view.max_concurrent} calls at the same time, ${view.max_per_second} a second`],
    ['Priority', String(view.priority)],
    ...(view.allowed_networks === '' ? [] : [['May call', view.allowed_networks] as [string, string]]),
    ...Object.entries(view.hosts).map(([name, url]): [string, string] => [`Host ${name}`, url]),
    ...Object.entries(view.settings).map(([name, value]): [string, string] => [name, showValue(value)]),
    ...Object.entries(view.secrets).map(([name, state]): [string, string] => [name, `(secret) ${state}`]),
  ]
  const width = Math.max(...lines.map(([name]) => name.length)) + 2
  return [
    ...lines.map(([name, value]) => name.padEnd(width) + value),
    ...describeHealth(view),
    ...describePlaces(view),
    ...describeTest(view),
  ]
}

/** Name the source of the settings, if it is not a person. */
function describeSource({ kind, source }: ConnectionView): [string, string][] {
  if (source === 'person') return []
  if (kind === 'sms') return [['From', 'the settings SMS_URL, SMS_METHOD, SMS_HEADERS, SMS_BODY and SMS_REPORTS, used']]
  const use = source === 'settings' ? 'used' : 'not used for new purchases: BILLER names another one'
  return [['From', `the settings UPSTREAM_URL and UPSTREAM_KEY, ${use}`]]
}

/** Describe the calls of the last 15 minutes, and faults that only the operator can repair. */
function describeHealth({ health }: ConnectionView): string[] {
  if (!health) return []
  const { state, calls, success_rate, p50_ms, p95_ms, alarms } = health
  const share = success_rate === null ? '' : `, ${Math.round(success_rate * 100)} % answered`
  const times = p50_ms === null ? '' : `, half within ${p50_ms} ms, 95 % within ${p95_ms} ms`
  return [
    `Last 15 minutes: ${state}, ${calls} calls${share}${times}`,
    ...alarms.map(({ message, last }) => `Alarm of ${formatTimestamp(last)}: ${message}`),
  ]
}

/** Describe the money of the connection in the books and at the network. */
export function describeFloats(floats: readonly FloatState[]): string[] {
  if (floats.length === 0) return []
  const lines = floats.map(({ currency, booked, balance, reported }) => {
    const stated =
      balance === null || !reported
        ? ''
        : `; the network stated ${displayAmount(balance)} at ${formatTimestamp(reported)}`
    return `  ${currency} ${displayAmount(booked)} in the books${stated}`
  })
  return ['Float:', ...lines, ...floats.flatMap(describeFloat)]
}

/** Certificates and the like are shown by their first line. */
function showValue(value: unknown): string {
  const [first, ...rest] = String(value).split('\n')
  return rest.some((line) => line.trim() !== '') ? `${first} …` : first!
}

function describePlaces({ kind, places, slug }: ConnectionView): string[] {
  if (kind !== 'network') return []
  if (places.length === 0)
    return [`No account uses it: \`npx kusanya connections places add ${slug} <account> <number>\`.`]
  return [
    'Accounts:',
    ...places.map(({ account, number, currency, country, collects, pays_out, unrequested }) => {
      const uses = [collects && 'collects', pays_out && 'pays out', unrequested && 'gets unrequested money']
      const where = country === null ? '' : ` in ${country}`
      return `  ${account}: ${currency} under ${number}${where}; ${uses.filter(Boolean).join(', ') || 'not in use'}`
    }),
  ]
}

function describeTest({ last_test, tested }: ConnectionView): string[] {
  if (!last_test || !tested) return ['Not tested since it was changed.']
  return [
    `Tested ${formatTimestamp(tested)}:`,
    ...last_test.map(({ name, outcome, message }) => `  ${outcome.padEnd(8)}${name}: ${message}`),
  ]
}
