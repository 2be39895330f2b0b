import type { ConnectionView } from '../../../connections/view.ts'
import { formatTimestamp } from '../../../lib/time.ts'

/** The lines of `connections show`. */
export function describeView(view: ConnectionView): string[] {
  const whose = view.organization === null ? 'the operator' : `organization ${view.organization}`
  const money = view.live ? 'real money' : 'no real money'
  const lines: [string, string][] = [
    ['Connection', `${view.slug}, ${view.state}`],
    ['Network', `${view.network} (${view.driver}), ${view.environment}: ${money}`],
    ['Belongs to', whose],
    ['Limits', `${view.max_concurrent} calls at the same time, ${view.max_per_second} a second`],
    ['Priority', String(view.priority)],
    ...Object.entries(view.hosts).map(([name, url]): [string, string] => [`Host ${name}`, url]),
    ...Object.entries(view.settings).map(([name, value]): [string, string] => [name, showValue(value)]),
    ...Object.entries(view.secrets).map(([name, state]): [string, string] => [name, `(secret) ${state}`]),
  ]
  const width = Math.max(...lines.map(([name]) => name.length)) + 2
  return [...lines.map(([name, value]) => name.padEnd(width) + value), ...describePlaces(view), ...describeTest(view)]
}

/** Certificates and the like are shown by their first line. */
function showValue(value: unknown): string {
  const [first, ...rest] = String(value).split('\n')
  return rest.some((line) => line.trim() !== '') ? `${first} …` : first!
}

function describePlaces({ places, slug }: ConnectionView): string[] {
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
