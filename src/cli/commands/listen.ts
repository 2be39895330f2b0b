import { createHash, type KeyObject, randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { eventTypes, extraEventTypes } from '../../core/events/events.ts'
import { createHttpClient, type HttpClient, type HttpResult } from '../../lib/http/outgoing-http.ts'
import {
  basicAuthorization,
  notificationHeaders,
  notificationId,
  signingKey,
} from '../../lib/http/standard-webhooks.ts'
import { addPlainCommand } from '../plain-command.ts'
import { follow, type Notification, REMOTE, readRemote } from '../remote.ts'
import { listenForStop } from '../service/signals.ts'
import type { Terminal } from '../terminal.ts'
import { type Given, typed } from '../typed.ts'

/** The same timeout as for a webhook's receiver (interface 4.2). */
const FORWARD_TIMEOUT_MS = 5_000

export function addListen(program: Command, terminal: Terminal): void {
  addPlainCommand(program, terminal, {
    name: 'listen',
    description: 'show notifications and forward them to your machine; needs an API key and no database',
    typed: LISTEN,
    json: false,
    help: EXAMPLES,
    async run(options) {
      const stop = new AbortController()
      void listenForStop().requested.then(() => stop.abort())
      await runListen(terminal, options, stop.signal)
    },
  })
}

const LISTEN = {
  forward_to: typed(
    '-f, --forward-to <url>',
    'the address to forward to, such as http://localhost:4000/hook; without it they are only shown',
    toTarget,
  ),
  events: typed('-e, --events <types>', 'only these event types, with commas between them', collectTypes),
  since: typed(
    '--since <start>',
    'start in the past: at the event with this id, or at a time such as "10 minutes ago"',
  ),
  secret: typed('--secret <secret>', 'sign with this secret (whsec_…) instead of a new one', toSecret),
  basic_auth: typed('--basic-auth <user:password>', 'send these credentials, as the webhooks of your organization do'),
  skip_cert_verify: typed('--skip-cert-verify', 'accept any certificate of an https address'),
  print_json: typed(
    '--print-json',
    'print each notification as a line of JSON; everything else goes to the error output',
  ),
  ...REMOTE,
}
export type ListenOptions = Partial<Given<typeof LISTEN>>

/**
 * Show notifications, and forward them one after the other in order, until the signal. A failed notification is not
 * sent again, because a program under development fails often; `--since` repeats notifications that it missed.
 * @throws CommandError when the service refuses or cannot be reached.
 */
export async function runListen(terminal: Terminal, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const remote = readRemote(terminal, options)
  const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const note = options.print_json ? terminal.warn : terminal.print
  const outgoing = createHttpClient({
    allowsAddress: () => true,
    timeout_ms: FORWARD_TIMEOUT_MS,
    allow_plain_http: true,
  })
  const forward =
    options.forward_to === undefined ? undefined : createForwarder(outgoing, options.forward_to, secret, options)
  try {
    const notifications = follow(remote, {
      since: options.since,
      events: options.events,
      target: options.forward_to,
      signal,
      onOpen: () => printIntroduction(terminal, note, remote.url, secret, options),
      onConnectionChange: (change) => terminal.warn(terminal.faint(CONNECTION_MESSAGES[change])),
    })
    for await (const notification of notifications) {
      const result = await forward?.(notification)
      if (options.print_json) terminal.print(formatJsonLine(notification, result))
      else terminal.print(formatLine(terminal, notification, result))
    }
  } finally {
    outgoing.close()
  }
}

const CONNECTION_MESSAGES = {
  lost: 'The connection to the service is lost. Connecting again …',
  restored: 'Connected again; no event was missed.',
  restarted: 'The sandbox was reset: events start again from the first one.',
}

function printIntroduction(
  terminal: Terminal,
  note: Terminal['print'] | Terminal['warn'],
  url: string,
  secret: string,
  { forward_to, events }: ListenOptions,
): void {
  const types = events ? events.join(', ') : 'all events'
  note(`Listening to ${types} of ${url}${forward_to ? `, forwarding to ${terminal.strong(forward_to)}` : ''}.`)
  if (forward_to) note(`The signing secret is ${terminal.strong(secret)}`)
  note(terminal.faint('Press Ctrl-C to stop.'))
}

/** Return a function that sends a notification exactly as a webhook would get it. */
function createForwarder(outgoing: HttpClient, target: string, secret: string, options: ListenOptions) {
  const keys: KeyObject[] = [signingKey(secret)]
  // The same secret gives the same ids, so a receiver recognizes a notification that it got before.
  const token = createHash('sha256').update(secret).digest('base64url').slice(0, 16)
  const basic = options.basic_auth === undefined ? {} : basicAuthorization(options.basic_auth)
  return ({ id, body }: Notification): Promise<HttpResult> => {
    const headers = notificationHeaders(keys, notificationId(token, id), new Date(), body)
    return outgoing.post(new URL(target), { ...headers, ...basic }, body, !options.skip_cert_verify)
  }
}

function formatLine(terminal: Terminal, { id, type, body }: Notification, result: HttpResult | undefined): string {
  const { created } = (JSON.parse(body) as { hook: { created: string } }).hook
  const line = `${terminal.faint(created)}  ${type.padEnd(MAX_TYPE_LENGTH)}  ${id}`
  if (!result) return line
  const { failure, status, duration_ms } = result
  const answer =
    failure === null ? terminal.good(String(status)) : terminal.bad(String(status ?? FAILURE_MESSAGES[failure]))
  return `${line}  ${answer}  ${terminal.faint(`${duration_ms} ms`)}`
}

const MAX_TYPE_LENGTH = Math.max(...[...eventTypes, ...extraEventTypes].map((type) => type.length))

/** Reasons for a failed delivery, for the developer who must fix it. */
const FAILURE_MESSAGES: Record<NonNullable<HttpResult['failure']>, string> = {
  timeout: 'no answer within 5 seconds',
  tls: 'certificate refused (--skip-cert-verify accepts any)',
  refused: 'connection refused',
  private_address: 'no such host, or no public address',
  too_large: 'headers too large',
  status: 'refused',
}

function formatJsonLine({ id, type, body }: Notification, result: HttpResult | undefined): string {
  const answer = result && { status: result.status, failure: result.failure, duration_ms: result.duration_ms }
  return JSON.stringify({ id, event: type, ...answer, body: JSON.parse(body) })
}

function toTarget(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new InvalidArgumentError('It must be an address such as http://localhost:4000/hook.')
  return url
}

/** The option may be given several times, each time with several types. */
function collectTypes(text: string, earlier: string[] = []): string[] {
  const known: readonly string[] = [...eventTypes, ...extraEventTypes]
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !known.includes(type))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no event ${unknown}. Choose from: ${known.join(', ')}.`)
  return [...earlier, ...types]
}

function toSecret(text: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text))
    throw new InvalidArgumentError('It must be whsec_ followed by 24 to 64 bytes in base64.')
  return text
}

const EXAMPLES = `
The body and the headers are the same as for a webhook. The signature uses the secret that is shown at the start. If the
address does not answer, or answers with an error, the notification is not sent again: --since repeats it.

Examples:
  $ npx kusanya listen --forward-to http://localhost:4000/hook --api-key ksy_…
  $ npx kusanya listen -f localhost:4000/hook --events collection.received --since "10 minutes ago"
  $ npx kusanya listen --print-json | jq .body.data.status`
