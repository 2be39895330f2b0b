import { createApiClient } from '../test-app.ts'
import type { Clients, Json } from './clients.ts'
import type { People } from './scenario.ts'

/** Asker: a program with one of the keys, the owner at the console, or an operator with a command. */
export type Asker = 'shop' | 'second' | 'reading' | 'revoked' | 'console' | 'command'

/** Something that a user asked a release, and what it answered. */
export interface Answer {
  asker: Asker
  /** A path, or the words of a command. */
  question: string
  answer: unknown
}

/** Ask a question and return the answer, without the parts that change with every question. */
export type Ask = (asker: Asker, question: string) => Promise<unknown>

/** Make the function that asks for users. The owner must be signed in at the console of `clients`. */
export function openQuestions(clients: Clients, url: string, people: People, shop_key: string): Ask {
  const keys: Partial<Record<Asker, string>> = {
    shop: shop_key,
    second: people.second_key,
    reading: people.reading_key,
    revoked: people.revoked_key,
  }
  return async (asker, question) => {
    if (asker === 'command') return withoutVolatile(JSON.parse(await clients.kusanya(...question.split(' '), '--json')))
    if (asker === 'console') {
      const answer = await clients.browser.get(question)
      // Signing in adds an entry, so the count differs each time.
      return withoutVolatile(question.startsWith('/audit') ? answer.body.results : answer)
    }
    if (question.includes('format=csv')) {
      const response = await fetch(url + question, { headers: { authorization: `Token ${keys[asker]}` } })
      return { status: response.status, body: await response.text() }
    }
    return withoutVolatile(await createApiClient(url, keys[asker]!).get(question))
  }
}

const VOLATILE = ['last_used', 'last_seen', 'last_sign_in', 'headers', 'now', 'last_days']

/**
 * Remove what changes with every question: headers, the days until now, times of the last use of a key or session,
 * entries of sign-ins.
 */
function withoutVolatile(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) => {
    if (VOLATILE.includes(name)) return undefined
    // Reasons that are equally frequent come in any order.
    if (name === 'failures') return value.map((one: unknown) => JSON.stringify(one)).sort()
    if (Array.isArray(value)) return value.filter((one) => one?.action !== 'sign in')
    return value
  })
}

const LISTS = [
  'accounts',
  'collectionrequests',
  'collections',
  'contacts',
  'currencies',
  'events',
  'networks',
  'payments',
  'transactions',
  'webhooks',
]

const COUNTER = [
  'superagent/account/balance',
  'billers/category/all',
  'billers/services/list',
  'billers/provider/all',
  'services/airtime/providers',
  'services/databundle/providers',
  'services/cabletv/providers',
  'services/epin/providers',
  'services/electricity/billers',
]

const CONSOLE = [
  '/session',
  '/home',
  '/audit?limit=100',
  '/users',
  '/invitations',
  '/keys',
  '/settings',
  '/incoming',
  '/purchases',
  '/services',
  '/webhook-credentials',
  '/webhooks/health',
]

const COMMANDS = [
  'organizations list',
  'organizations approval list',
  'organizations acceptance-url show --organization 1',
  'users list',
  'users second-factor finance@demo.example',
  'keys list',
  'accounts list',
  'fees list',
  'contacts list --organization 1',
  'requests list --organization 1',
  'collections list --organization 1',
  'collections list --organization 1 --unmatched',
  'payments list --organization 1',
  'plans list',
  'bills list',
  'bills users list',
  'sms list',
  'webhooks list',
  'webhooks deliveries',
  'simulate prompts',
]

/**
 * Ask everything that users ask about the fixture: each list, each object in it, the counter, the console, the
 * commands.
 */
export async function askEverything(ask: Ask, references: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = []
  const note: Note = async (asker, question) => {
    const answer = await ask(asker, question)
    answers.push({ asker, question, answer })
    return answer as Reply
  }
  for (const list of LISTS) await askList(note, list)
  for (const path of COUNTER) await note('shop', `/api/gateway/${path}`)
  for (const reference of references)
    await note('shop', `/api/gateway/superagent/transaction/requery?agentReference=${reference}`)
  for (const path of ['/api/transactions?format=csv', '/api/collectionrequests?format=csv']) await note('shop', path)
  await note('shop', '/api/simulator/phones/+80000000109')

  for (const path of CONSOLE) await note('console', path)
  const { body: requests } = (await ask('shop', '/api/collectionrequests?limit=100')) as { body: { results: Json[] } }
  for (const { id } of requests.results) await note('console', `/collectionrequests/${id}/timeline`)
  const { body: deliveries } = await note('console', '/webhooks/deliveries?limit=100')
  for (const { webhook, event } of deliveries.results!.slice(0, MAX_DELIVERIES) as Json[])
    await note('console', `/webhooks/${webhook}/deliveries/${event}`)
  for (const command of COMMANDS) await note('command', command)
  return answers
}

/** Status of an answer, and its body, which can be one page of a list. */
interface Reply {
  status: number
  body: { results?: Json[]; count?: number }
}

/** Ask a question and keep the answer. */
type Note = (asker: Asker, question: string) => Promise<Reply>

/** Ask for all pages of a list, with every key, and for the objects in it. */
async function askList(note: Note, list: string): Promise<void> {
  for (const asker of ['second', 'reading', 'revoked'] as const) await note(asker, `/api/${list}?limit=100`)
  const objects: Json[] = []
  for (let offset = 0, count = 1; offset < count; offset += 100) {
    const { body } = await note('shop', `/api/${list}?limit=100&offset=${offset}`)
    count = body.count ?? 0
    objects.push(...(body.results ?? []))
  }
  for (const { id } of objects.slice(0, MAX_OBJECTS)) await note('shop', `/api/${list}/${id}`)
}

/** Of a long list not every object is asked for by itself. */
const MAX_OBJECTS = 60
const MAX_DELIVERIES = 20
