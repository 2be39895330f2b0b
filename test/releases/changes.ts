import { readFileSync } from 'node:fs'
import type { Answer, Asker } from './answers.ts'

/*
 * How this version differs from released versions. When a migration renames a table, or a key of an answer follows its
 * column, add the name here; the tests of releases need no other change.
 */

/** Renamed tables: the name in a release → the name now. */
const RENAMED_TABLES: Record<string, string> = {
  collection_hooks: 'acceptance_urls',
  collection_questions: 'acceptance_checks',
  collection_request_moves: 'collection_request_transitions',
  duplicate_keys: 'idempotency_keys',
  payment_moves: 'payment_transitions',
  receivers: 'connection_places',
  simulator_offers: 'simulator_validation_requests',
  switches: 'flags',
  texts: 'sms_messages',
}

/** Renamed commands, with their arguments: the words in a release → the words now. */
const RENAMED_COMMANDS: Record<string, string> = {}

/** Renamed keys of answers to the console and to commands, by the question that they answer: the key in a release → the key now. */
const RENAMED_KEYS: readonly { asker: Asker; question: RegExp; keys: Record<string, string> }[] = [
  { asker: 'command', question: /^(requests|collections) list/, keys: { asked: 'status_queries' } },
  { asker: 'command', question: /^payments list/, keys: { asked: 'network_calls' } },
  { asker: 'command', question: /^organizations approval list/, keys: { above: 'threshold' } },
  { asker: 'command', question: /^organizations hook questions/, keys: { tries: 'attempts' } },
  { asker: 'command', question: /^fees list/, keys: { least: 'min_fee', most: 'max_fee' } },
  { asker: 'command', question: /^plans list/, keys: { made: 'occurrence_count' } },
  { asker: 'command', question: /^bills list/, keys: { asked: 'status_queries' } },
  { asker: 'command', question: /^texts list/, keys: { why: 'purpose', tries: 'attempts' } },
  { asker: 'console', question: /^.settings/, keys: { above: 'threshold', least: 'min_fee', most: 'max_fee' } },
  { asker: 'console', question: /^.purchases/, keys: { asked: 'status_queries' } },
  { asker: 'console', question: /^.webhooks.health/, keys: { previous_until: 'previous_secret_expires' } },
  { asker: 'console', question: /timeline$/, keys: { prompted: 'prompt_sent', why: 'purpose' } },
  {
    asker: 'console',
    question: /^.webhooks.\d+.deliveries.\d+$/,
    keys: { answer_headers: 'response_headers', answer_body: 'response_body' },
  },
]

/** What SMS have since they go over several providers. Those of a release went over one, which did not say more. */
const NEW_OF_SMS = {
  ...{
    bill_purchase: null,
    payment: null,
    country: null,
    transactional: true,
    sender_id: null,
    reason: null,
    code: null,
  },
  ...{ encoding: null, parts: null, cost: null, currency: null, delivered_at: null },
}

/** What purchases of earlier versions have in common: one provider, in Nigeria. */
const SOLD_IN_NIGERIA = {
  ...{ attempt: 1, country: 'NG', send_token: null, attention: null, charged: null, charged_currency: null },
}

interface FileService {
  category: string
  service_type: string
  account?: { kind: string; least: number; most: number }
}

const SANDBOX_CATALOGUE = new URL('../../src/core/bills/sandbox-catalogue.json', import.meta.url)
const { services: SANDBOX_SERVICES } = JSON.parse(readFileSync(SANDBOX_CATALOGUE, 'utf8')) as {
  services: FileService[]
}

/** What account numbers of a service of the sandbox look like. Earlier versions did not say it. */
function accountFormatOf({ category, service_type }: Record<string, unknown>): string | null {
  const of_type = SANDBOX_SERVICES.find((one) => one.category === category && one.service_type === service_type)
  if (of_type?.account?.kind !== 'digits') return of_type?.account ? `${of_type.account.kind} number` : null
  const { least, most } = of_type.account
  return `${least === most ? least : `${least} to ${most}`} digits`
}

/**
 * Objects of answers with other values: which questions have them, and the object now. Events, notifications and rows of
 * tables (`--json` of some commands) stay as they were stored.
 */
const CHANGED_OBJECTS: readonly { question: RegExp; change(object: Record<string, unknown>): object }[] = [
  {
    question: /^\/(api\/collection|incoming)/,
    change: (object) =>
      object.subscription_settings
        ? { ...object, subscription_settings: JSON.stringify(object.subscription_settings) }
        : object,
  },
  {
    question: /^(\/api\/)?payments/,
    change: (object) =>
      'phone_nos' in object ? { ...object, start_date: object.start_date ?? object.created } : object,
  },
  {
    question: /^.home/,
    change: (object) =>
      'wallets' in object ? { ...object, warnings: [], unassigned: [], late_payouts: [], not_instructed: [] } : object,
  },
  {
    question: /timeline$/,
    // The provider of that scenario refused some SMS.
    change: (object) =>
      object.kind === 'text'
        ? { ...object, problem: object.state === 'failed' ? 'The SMS provider answered 400' : null }
        : object,
  },
  {
    question: /^texts list/,
    change: (object) => ('phonenumber' in object ? { ...object, ...NEW_OF_SMS } : object),
  },
  {
    question: /^(\/api\/collections|\/incoming|\/collections|collections)/,
    change: (object) =>
      'payment_date' in object
        ? { ...object, reversed_amount: object.status === 'reversed' ? object.amount : '0.0000' }
        : object,
  },
  {
    question: /^(\/api\/|\/)?payments/,
    change: (object) =>
      'payment_id' in object && 'phonenumber' in object
        ? { ...object, reversed_amount: hasComeBack(object) ? object.amount : '0.0000' }
        : object,
  },
  {
    question: /^(?!fees|accounts)[a-z]/,
    change: (object) => ('network' in object ? { ...object, connection: object.network } : object),
  },
  {
    // People act on requests since then.
    question: /^(requests|collections) (list|show)/,
    change: (object) =>
      'send_instructions' in object
        ? { ...object, prompt_again_at: null, ...('moves' in object && { actions: [] }) }
        : object,
  },
  {
    question: /^collections list/,
    change: (object) => ('refunded' in object ? { ...object, network_order: null } : object),
  },
  {
    question: /^accounts /,
    change: ({ network, ...object }) =>
      'number' in object ? { ...object, connection: network } : addSandboxPlaces(object as Partial<AccountOfRelease>),
  },
  {
    question: /^\/(api\/)?networks/,
    change: (object) => ('results' in object ? addSandboxNetworks(object as unknown as NetworkPage) : object),
  },
  {
    question: /^bills list/,
    change: (object) =>
      'agent_reference' in object
        ? {
            ...object,
            ...SOLD_IN_NIGERIA,
            attested: null,
            remote_service: null,
            remote_product: null,
            cost: null,
            started: null,
            restored: false,
          }
        : object,
  },
  {
    question: /^.purchases/,
    change: (object) => ('agent_reference' in object ? { ...object, ...SOLD_IN_NIGERIA } : object),
  },
  {
    question: /^.services/,
    change: (object) =>
      'service_type' in object
        ? { ...object, country: 'NG', currency: 'NGN', account_format: accountFormatOf(object) }
        : object,
  },
  {
    question: /billers.services/,
    change: (object) =>
      'serviceType' in object ? { ...object, serviceCountry: 'NG', serviceCurrency: 'NGN' } : object,
  },
  {
    // The order of a recipient has a due date of its own.
    question: /^payments list/,
    change: (object) =>
      ['processing', 'pending_confirmation', 'parked'].includes(String(object.state)) && 'due_at' in object
        ? { ...object, due_at: null }
        : object,
  },
  {
    question: /^.audit/,
    change: (object) => ('user_name' in object ? { ...object, key: null, key_name: null } : object),
  },
  {
    question: /^.session$/,
    change: (object) => ('stage' in object ? { ...object, second_factor_missing: false } : object),
  },
  {
    question: /^.session$/,
    change: (object) => ('email' in object ? { ...object, language: null } : object),
  },
  {
    question: /^.users$/,
    change: (object) =>
      'email' in object
        ? { ...object, approves_from: null, second_factor: object.email === 'finance@demo.example' }
        : object,
  },
  {
    question: /^.settings$/,
    change: (object) => ('approval' in object ? { ...object, limits: [], second_factor_required: false } : object),
  },
  {
    question: /^organizations list/,
    change: (object) =>
      'service_user' in object ? { ...object, second_factor_required: false, send_bill_tokens: false } : object,
  },
  {
    question: /^users list/,
    change: (object) => ('email' in object ? { ...object, approves_from: null } : object),
  },
  {
    question: /^simulate prompts/,
    change: (object) => ('receiver' in object ? { ...object, network: 'sandbox' } : object),
  },
]

interface AccountOfRelease {
  currency: string
  receivers: { connection: string; number: string }[]
}

/** Wallets of the sandbox use its simulated networks. */
function addSandboxPlaces(object: Partial<AccountOfRelease>): object {
  const { currency, receivers } = object
  if (!receivers) return object
  const [own] = receivers
  const places = {
    UGX: ['sandbox-mtn', 'sandbox-airtel'].map((connection) => ({ connection, number: own?.number })),
    KES: [{ connection: 'sandbox-daraja', number: '600000' }],
  }
  return { ...object, receivers: [...receivers, ...(places[currency as keyof typeof places] ?? [])] }
}

interface NetworkPage {
  count: number
  results: { country: { iso: string } }[]
}

/** The networks that came to the sandbox after version 0.1.0. */
const ADDED_NETWORKS = [
  { iso: 'UG', id: 5, code: 'mtn-momo', name: 'MTN MoMo', phone_regex: '^\\+256(7[6-9]|3[19])\\d{7}$' },
  { iso: 'UG', id: 6, code: 'airtel-money', name: 'Airtel Money', phone_regex: '^\\+2567[045]\\d{7}$' },
  {
    ...{ iso: 'KE', id: 7, code: 'daraja', name: 'M-Pesa Kenya' },
    phone_regex: '^\\+254(?:7(?:[0129]\\d|4[0-3568]|5[7-9]|6[89])\\d{6}|11\\d{7})$',
  },
]

function addSandboxNetworks(page: NetworkPage): object {
  const added = ADDED_NETWORKS.map(({ iso, ...network }) => ({
    ...network,
    country: page.results.find(({ country }) => country.iso === iso)!.country,
  }))
  return { ...page, count: page.count + added.length, results: [...page.results, ...added] }
}

/** Whether a network has taken back what this recipient of a payment got. */
function hasComeBack({ state, remote_transaction_id }: Record<string, unknown>): boolean {
  return state === 'error' && remote_transaction_id !== null
}

/** Tables (by their names in a release) whose number of rows the migrations change. */
export const CHANGED_BY_MIGRATIONS = ['migrations', 'accounts']

/** The name that a table of a release has now. */
export function currentTable(name: string): string {
  return RENAMED_TABLES[name] ?? name
}

/** The question and answer that replace those of a release. Only a change that CHANGELOG.md announces may stand here. */
export function currentAnswer(answer: Answer): Answer {
  const question = answer.asker === 'command' ? (RENAMED_COMMANDS[answer.question] ?? answer.question) : answer.question
  return { ...answer, question, answer: changeObjects(answer) }
}

function changeObjects({ asker, question, answer }: Answer): unknown {
  const renamed = RENAMED_KEYS.find((one) => one.asker === asker && one.question.test(question))?.keys ?? {}
  const changes = CHANGED_OBJECTS.filter((one) => one.question.test(question))
  return JSON.parse(JSON.stringify(answer), (_name, value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    const object = Object.fromEntries(Object.entries(value).map(([key, one]) => [renamed[key] ?? key, one]))
    return changes.reduce((changed, { change }) => change(changed) as Record<string, unknown>, object)
  })
}
