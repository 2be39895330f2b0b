import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { eventTypes, extraEventTypes } from '../../core/events/events.ts'
import { createHttpClient, type HttpClient, type HttpResult } from '../../lib/outgoing-http.ts'
import { basicAuthorization, notificationHeaders, notificationId, signingKey } from '../../lib/standard-webhooks.ts'
import { addRemoteOptions, follow, type Notification, type RemoteOptions, readRemote } from '../remote.ts'
import { listenForStop } from '../service/signals.ts'
import type { Terminal } from '../terminal.ts'

/** As long as a webhook's receiver has (interface 4.2). */
const FORWARD_TIMEOUT_MS = 5_000

export function addListen(program: Command, terminal: Terminal): void {
  const listen = program
    .command('listen')
    .description('show notifications as they happen and forward them to your machine; needs a key and no database')
    .option(
      '-f, --forward-to <url>',
      'where they go, such as http://localhost:4000/hook; without it they are only shown',
      toTarget,
    )
    .option('-e, --events <types>', 'only these event types, with commas between them', collectTypes)
    .option('--since <start>', 'begin earlier: with the event of this id, or at a time such as "10 minutes ago"')
    .option('--secret <secret>', 'sign with this secret (whsec_…) instead of one for this session', toSecret)
    .option('--basic-auth <user:password>', 'send these credentials along, as webhooks of your organization do')
    .option('--skip-cert-verify', 'accept any certificate of an https address')
    .option('--print-json', 'write each notification as a line of JSON; everything else goes to the error output')
  addRemoteOptions(listen)
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListenOptions) => {
      const stop = new AbortController()
      void listenForStop().requested.then(() => stop.abort())
      await runListen(terminal, options, stop.signal)
    })
}

export interface ListenOptions extends RemoteOptions {
  forwardTo?: string
  events?: string[]
  since?: string
  secret?: string
  basicAuth?: string
  skipCertVerify?: boolean
  printJson?: boolean
}

/**
 * Forwards notifications, one after the other in their order, until the signal. What the address answers is shown; whatever
 * it is, the next one follows: a program that is being written fails often, and `--since` brings back what it missed.
 * @throws CommandError when the service cannot be reached or will have none of it.
 */
export async function runListen(terminal: Terminal, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const remote = readRemote(terminal, options)
  const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const say = options.printJson ? terminal.warn : terminal.print
  const outgoing = createHttpClient({
    allowsAddress: () => true,
    timeout_ms: FORWARD_TIMEOUT_MS,
    allow_plain_http: true,
  })
  const forward =
    options.forwardTo === undefined ? undefined : createForwarder(outgoing, options.forwardTo, secret, options)
  try {
    const notifications = follow(remote, {
      since: options.since,
      events: options.events,
      target: options.forwardTo,
      signal,
      onOpen: () => printIntroduction(terminal, say, remote.url, secret, options),
      onConnectionChange: (what) => terminal.warn(terminal.faint(CONNECTION_MESSAGES[what])),
    })
    for await (const notification of notifications) {
      const exchange = await forward?.(notification)
      if (options.printJson) terminal.print(formatJsonLine(notification, exchange))
      else terminal.print(formatLine(terminal, notification, exchange))
    }
  } finally {
    outgoing.close()
  }
}

const CONNECTION_MESSAGES = {
  lost: 'The connection to the service is lost. Trying again …',
  back: 'Connected again; nothing was missed.',
  'begun anew': 'The service has begun anew: events are told from its first one.',
}

function printIntroduction(
  terminal: Terminal,
  say: Terminal['print'] | Terminal['warn'],
  url: string,
  secret: string,
  { forwardTo, events }: ListenOptions,
): void {
  const what = events ? events.join(', ') : 'all events'
  say(`Listening to ${what} of ${url}${forwardTo ? `, forwarding to ${terminal.strong(forwardTo)}` : ''}.`)
  if (forwardTo) say(`The signing secret is ${terminal.strong(secret)}`)
  say(terminal.faint('Ctrl-C ends it.'))
}

/** Makes the function that sends one notification as a webhook would be sent it. */
function createForwarder(outgoing: HttpClient, target: string, secret: string, options: ListenOptions) {
  const keys: KeyObject[] = [signingKey(secret)]
  // The same secret makes the same ids, so a receiver that keeps the secret knows again what it has heard.
  const token = createHash('sha256').update(secret).digest('base64url').slice(0, 16)
  const basic = options.basicAuth === undefined ? {} : basicAuthorization(options.basicAuth)
  return ({ id, body }: Notification): Promise<HttpResult> => {
    const headers = notificationHeaders(keys, notificationId(token, id), new Date(), body)
    return outgoing.post(new URL(target), { ...headers, ...basic }, body, !options.skipCertVerify)
  }
}

function formatLine(terminal: Terminal, { id, type, body }: Notification, exchange: HttpResult | undefined): string {
  const { created } = (JSON.parse(body) as { hook: { created: string } }).hook
  const told = `${terminal.faint(created)}  ${type.padEnd(MAX_TYPE_LENGTH)}  ${id}`
  if (!exchange) return told
  const { failure, status, duration_ms } = exchange
  const answer =
    failure === null ? terminal.good(String(status)) : terminal.bad(String(status ?? FAILURE_MESSAGES[failure]))
  return `${told}  ${answer}  ${terminal.faint(`${duration_ms} ms`)}`
}

const MAX_TYPE_LENGTH = Math.max(...[...eventTypes, ...extraEventTypes].map((type) => type.length))

/** Why no answer came, in words for who has to mend it. */
const FAILURE_MESSAGES: Record<NonNullable<HttpResult['failure']>, string> = {
  timeout: 'no answer within 5 seconds',
  dns: 'no such host',
  tls: 'certificate refused (--skip-cert-verify accepts any)',
  refused: 'nobody answers there',
  private_address: 'address refused',
  too_large: 'headers too large',
  status: 'refused',
}

function formatJsonLine({ id, type, body }: Notification, exchange: HttpResult | undefined): string {
  const answer = exchange && { status: exchange.status, failure: exchange.failure, duration_ms: exchange.duration_ms }
  return JSON.stringify({ id, event: type, ...answer, body: JSON.parse(body) })
}

function toTarget(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new InvalidArgumentError('It must be an address such as http://localhost:4000/hook.')
  return url
}

/** May be given several times, and hold several. */
function collectTypes(text: string, earlier: string[] = []): string[] {
  const known: readonly string[] = [...eventTypes, ...extraEventTypes]
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !known.includes(type))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no event ${unknown}. There are: ${known.join(', ')}.`)
  return [...earlier, ...types]
}

function toSecret(text: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text))
    throw new InvalidArgumentError('It must be whsec_ and 24 to 64 bytes in base64.')
  return text
}

const EXAMPLES = `
The body and the headers are those that a webhook gets; they are signed with the secret that is shown at the start. An address
that does not answer, or answers with an error, misses that notification: --since brings it back.

Examples:
  $ npx kusanya listen --forward-to http://localhost:4000/hook --api-key ksy_…
  $ npx kusanya listen -f localhost:4000/hook --events collection.received --since "10 minutes ago"
  $ npx kusanya listen --print-json | jq .body.data.status`
