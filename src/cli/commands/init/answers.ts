import { currencyCountries } from '../../../core/ledger/currencies.ts'
import { isEmail } from '../../../lib/text/email.ts'
import { readTimeZone } from '../../../lib/text/time-zones.ts'
import { CommandError } from '../../errors.ts'
import { DEMO_ORGANIZATION_NAME } from '../../service/demo-organization.ts'
import type { Terminal } from '../../terminal.ts'

/** The options of `init` that answer its questions. */
export interface AnswerOptions {
  run?: string
  mode?: string
  database?: string
  publicUrl?: string
  organization?: string
  country?: string
  timeZone?: string
  currency?: string
  manager?: string
  email?: string
  yes?: boolean
}

/** Options of `init`. */
export interface InitOptions extends AnswerOptions {
  replace?: boolean
  json?: boolean
}

export const ways = ['here', 'systemd', 'compose'] as const

/** Way to run the service: by a person in this folder, as a systemd unit, or in containers. */
export type Way = (typeof ways)[number]

/** Facts for the settings of the installation. */
export interface Installation {
  mode: 'sandbox' | 'live'
  /** Address of an own PostgreSQL; null for the embedded one, or the one of compose. */
  database_url: string | null
  /** Such as `https://pay.example.com`; null for none. */
  public_url: string | null
}

/** The first organization and its first manager. */
export interface FirstAnswers {
  name: string
  /** ISO 3166-1, two letters. */
  country: string
  /** Time zone. Undefined: the country's zone. */
  timeZone?: string
  currency: string
  manager: { name: string; email: string }
}

/** Text that is no answer. The message completes the sentence "It …". */
class WrongAnswer extends Error {}

interface Question<T> {
  option: string
  given: string | undefined
  /** Fit on one line of a terminal, with its default. */
  text: string
  /** Explanation before the question, in one or two sentences. */
  note?: string
  /** Possible answers with their meanings. */
  choices?: Readonly<Record<string, string>>
  /** The answer of a person who types nothing, and of --yes; null if an answer is needed. */
  fallback: string | null
  secret?: boolean
  /** @throws WrongAnswer */
  parse(text: string): T
}

/** Take each answer from its option, from the person at the terminal, or from the defaults of --yes. */
export interface Asker {
  /** Undefined when there is no answer; `finish` then says so. */
  ask<T>(question: Question<T>): Promise<T | undefined>
  /**
   * Return true if any answer was wrong or missing. The rest is asked all the same, so that all faults are named
   * together.
   */
  hasFailed(): boolean
  /** @throws CommandError that names every wrong and every missing option */
  finish(): void
}

/**
 * Begin a series of questions. A wrong answer of a person is asked again; wrong and missing options are named together
 * by `finish`.
 */
export function createAsker(terminal: Terminal, { yes = false }: { yes?: boolean }): Asker {
  const faults: string[] = []
  const needed: string[] = []
  const defaulted: string[] = []
  const asks = terminal.interactive && !yes

  async function askPerson<T>(question: Question<T>): Promise<T> {
    const { text, fallback, secret, parse } = question
    for (const line of explain(question)) terminal.print(terminal.faint(line))
    for (;;) {
      const hint = fallback === null ? '' : ` [${fallback || 'none'}]`
      const typed = (await terminal.ask(`${text}${hint}: `, { secret })).trim()
      try {
        return parse(typed === '' ? requireAnswer(fallback) : typed)
      } catch (error) {
        terminal.warn(`  ${messageOf(error)}`)
      }
    }
  }

  return {
    async ask(question) {
      const { option, given, fallback, parse } = question
      if (given === undefined && asks) return askPerson(question)
      if (given === undefined && !(yes && fallback !== null)) {
        ;(fallback === null ? needed : defaulted).push(option)
        return undefined
      }
      try {
        return parse(given ?? fallback!)
      } catch (error) {
        faults.push(`${option}: ${messageOf(error)}`)
        return undefined
      }
    },
    hasFailed: () => faults.length + needed.length + defaulted.length > 0,
    finish() {
      if (faults.length > 0) throw new CommandError(`Nothing was written. ${faults.join(' ')}`)
      if (needed.length + defaulted.length === 0) return
      const must = needed.length > 0 ? `needs ${needed.join(', ')}` : ''
      const may = defaulted.length > 0 ? `needs --yes, which takes the defaults, or ${defaulted.join(', ')}` : ''
      throw new CommandError(`Without asking at a terminal, init ${[must, may].filter(Boolean).join('. It also ')}.`)
    },
  }
}

/** Return the lines above a question: its note and the meanings of its answers. */
function explain({ note, choices = {} }: Question<unknown>): string[] {
  const width = Math.max(...Object.keys(choices).map((word) => word.length))
  const meanings = Object.entries(choices).map(([word, meaning]) => `  ${word.padEnd(width)}  ${meaning}`)
  const lines = [...(note === undefined ? [] : [note]), ...meanings]
  return lines.length > 0 ? ['', ...lines] : []
}

function requireAnswer(fallback: string | null): string {
  if (fallback === null) throw new WrongAnswer('needs an answer.')
  return fallback
}

/** Return the message of a wrong answer. @throws any other error */
function messageOf(error: unknown): string {
  if (error instanceof WrongAnswer) return `It ${error.message}`
  throw error
}

const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const found = words.find((word) => word === text.toLowerCase())
    if (!found) throw new WrongAnswer(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`)
    return found
  }

/** Ask how the service is to run. @param found how the files that are there say that it runs */
export function askWay(asker: Asker, options: AnswerOptions, found: Way): Promise<Way | undefined> {
  return asker.ask({
    option: '--run',
    given: options.run,
    text: 'How is the service to run?',
    choices: { here: 'you start it', systemd: 'the machine starts it', compose: 'in containers' },
    fallback: found,
    parse: oneOf(ways),
  })
}

/** The address of a database of one's own, as far as it is known: in the environment, or in the file that is written anew. */
export interface KnownDatabase {
  environment_url: string | undefined
  earlier_url: string | undefined
}

/** Ask for the facts of the settings. */
export async function askInstallation(
  asker: Asker,
  options: AnswerOptions,
  way: Way,
  known: KnownDatabase,
): Promise<Installation> {
  const mode =
    (await asker.ask<Installation['mode']>({
      option: '--mode',
      given: options.mode,
      text: 'Sandbox or live?',
      note: 'A database belongs to one of the two for ever.',
      choices: { sandbox: 'no real money moves', live: 'real money' },
      fallback: 'sandbox',
      parse: oneOf(['sandbox', 'live']),
    })) ?? 'sandbox'
  const database_url = way === 'compose' ? requireNoDatabase(options) : await askDatabase(asker, options, known)
  const public_url = await asker.ask({
    option: '--public-url',
    given: options.publicUrl,
    text: 'The public address',
    note: 'Networks and customers use it. A proxy in front of the service speaks TLS.',
    // Networks and containers need one: callbacks, links and the settings of compose follow from it.
    fallback: mode === 'live' || way === 'compose' ? null : '',
    parse: (text) => parsePublicUrl(text, mode),
  })
  return { mode, database_url, public_url: public_url ?? null }
}

/** @throws CommandError */
function requireNoDatabase({ database }: AnswerOptions): null {
  if (database === undefined || database === 'embedded') return null
  throw new CommandError('compose brings a PostgreSQL of its own: leave --database out, or choose another --run.')
}

/**
 * Ask for the database. Its address has a password, so it is typed without echo or comes from the environment, never
 * from an option.
 */
async function askDatabase(
  asker: Asker,
  { database }: AnswerOptions,
  { environment_url, earlier_url }: KnownDatabase,
): Promise<string | null> {
  if (/^postgres(ql)?:/i.test(database ?? ''))
    throw new CommandError(
      'Other programs see the options of a command, and an address has a password: set DATABASE_URL in the environment, and give --database own.',
    )
  const kind = await asker.ask({
    option: '--database',
    given: database,
    text: 'Where does the data go?',
    choices: { embedded: 'the built-in PostgreSQL', own: 'a PostgreSQL 18 of yours' },
    fallback: (environment_url ?? earlier_url) === undefined ? 'embedded' : 'own',
    parse: oneOf(['embedded', 'own']),
  })
  if (kind !== 'own') {
    if (kind && environment_url !== undefined)
      throw new CommandError(
        'DATABASE_URL is set in the environment, and would count: unset it for --database embedded.',
      )
    return null
  }
  const address = await asker.ask({
    option: 'DATABASE_URL in the environment',
    given: environment_url ?? earlier_url,
    text: 'Its address (what you type is not shown)',
    note: 'Such as postgres://user:password@host:5432/name.',
    fallback: null,
    secret: true,
    parse: parseDatabaseUrl,
  })
  return address ?? null
}

function parseDatabaseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '' || url.pathname.length < 2)
    throw new WrongAnswer('must look like postgres://user:password@host:5432/name.')
  return text
}

function parsePublicUrl(text: string, mode: Installation['mode']): string | null {
  if (text === '') return null
  const url = URL.parse(text)
  const schemes = mode === 'live' ? ['https:'] : ['https:', 'http:']
  const is_plain = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  if (!is_plain || !schemes.includes(url.protocol)) throw new WrongAnswer('must look like https://pay.example.com.')
  return url.origin
}

/** The countries whose currency wallets may have, by their code, with the name and the currency. */
const countries = Object.entries(currencyCountries)
  .filter(([, country]) => country !== 'XX')
  .map(([currency, code]) => ({ code, currency, name: new Intl.DisplayNames('en', { type: 'region' }).of(code)! }))

function parseCountry(text: string) {
  const found = countries.find(({ code, name }) => [code, name].some((one) => one.toLowerCase() === text.toLowerCase()))
  if (found) return found
  const list = countries.map(({ code, name }) => `${code} (${name})`).join(', ')
  throw new WrongAnswer(`must be a country whose currency wallets may have: ${list}.`)
}

/** Ask for the first organization. Null: the demo organization of the sandbox, which is there without questions. */
export async function askFirst(
  asker: Asker,
  options: AnswerOptions,
  mode: Installation['mode'],
): Promise<FirstAnswers | null> {
  const others = [options.country, options.currency, options.manager, options.email]
  const is_named = options.organization !== undefined || others.some((one) => one !== undefined)
  if (mode === 'sandbox' && options.yes && !is_named) return null
  const name = await asker.ask({
    option: '--organization',
    given: options.organization,
    text: 'The name of the organization, as customers know it',
    fallback: mode === 'sandbox' && !others.some((one) => one !== undefined) ? DEMO_ORGANIZATION_NAME : null,
    parse: parseName,
  })
  // Without a name there is no further question; `finish` names the missing answers.
  if (mode === 'sandbox' && (name === DEMO_ORGANIZATION_NAME || (name === undefined && !is_named))) return null
  const country = await asker.ask({
    option: '--country',
    given: options.country,
    text: 'Its country, by name or code',
    fallback: 'UG',
    parse: parseCountry,
  })
  const { timeZone } = options
  const time_zone =
    timeZone === undefined
      ? undefined
      : await asker.ask({
          option: '--time-zone',
          given: timeZone,
          text: 'Its time zone',
          fallback: null,
          parse: parseTimeZone,
        })
  const currency = await asker.ask({
    option: '--currency',
    given: options.currency,
    text: 'Its currency',
    fallback: country?.currency ?? 'UGX',
    parse: (text) => {
      const code = text.toUpperCase()
      if (countries.some((one) => one.currency === code)) return code
      throw new WrongAnswer(`must be one of ${countries.map((one) => one.currency).join(', ')}.`)
    },
  })
  const email = await asker.ask({
    option: '--email',
    given: options.email,
    text: 'The e-mail address of its first manager',
    fallback: null,
    parse(text) {
      if (!isEmail(text)) throw new WrongAnswer('must be an e-mail address, such as grace@example.com.')
      return text.toLowerCase()
    },
  })
  const manager = await asker.ask({
    option: '--manager',
    given: options.manager,
    text: 'The name of this manager',
    fallback: email?.split('@')[0] ?? 'Manager',
    parse: parseName,
  })
  asker.finish()
  return {
    name: name!,
    country: country!.code,
    currency: currency!,
    manager: { name: manager!, email: email! },
    ...(time_zone !== undefined && { timeZone: time_zone }),
  }
}

function parseTimeZone(text: string): string {
  const name = readTimeZone(text)
  if (name === undefined) throw new WrongAnswer('must be a time zone such as Africa/Kampala.')
  return name
}

const MAX_NAME_LENGTH = 200

function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name))
    throw new WrongAnswer(`must be a name of 1 to ${MAX_NAME_LENGTH} characters.`)
  return name
}
