/*
 * A receiver of notifications: what a shop runs to hear of its money. Needs nothing but Node 24, which `npm ci` brings
 * along. While you develop:
 *
 *   1. npx kusanya listen --forward-to http://localhost:4000 --api-key <API key>         it prints a secret
 *   2. WEBHOOK_SECRET=whsec_… npm exec -- node examples/receive-webhooks.ts
 *   3. npx kusanya trigger collection.received --api-key <API key>
 *
 * In earnest, notifications come over https: make a webhook (POST /api/webhooks), look up its secret with
 * `npx kusanya webhooks secret <id>`, and put this behind a server that speaks TLS, or name TLS_KEY and TLS_CERT here.
 * Several secrets may be given, with blanks between them: one for each webhook, and while one is being replaced both.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'

const { PORT = '4000', TLS_KEY, TLS_CERT } = process.env
const secrets = (process.env.WEBHOOK_SECRET ?? '').split(/\s+/).filter(Boolean)
if (secrets.length === 0) {
  console.error('Set WEBHOOK_SECRET to what `npx kusanya listen` or `npx kusanya webhooks secret <id>` shows.')
  process.exit(1)
}

const server =
  TLS_KEY && TLS_CERT
    ? createSecureServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }, receive)
    : createServer(receive)
server.listen(Number(PORT), () => console.log(`Waiting for notifications on port ${PORT}.`))

/** The ids of notifications that were acted upon. A real shop keeps them in its database; see `act`. */
const done = new Set<string>()

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const id = String(request.headers['webhook-id'])
  if (!isGenuine(id, request, body)) {
    console.log('Turned away a notification with a wrong signature.')
    return void response.writeHead(401).end()
  }
  // Any notification may come twice, always under the same id. The answer is yes each time, or it would come again.
  try {
    if (done.has(id)) console.log(`Heard again of ${id}: nothing to do.`)
    else act(JSON.parse(body))
    done.add(id)
    response.writeHead(200).end()
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
}

/**
 * Your business goes here: mark the order as paid, and keep the id of the notification in the same transaction, so that
 * neither is ever there without the other. After an error the answer is 500, and the notification comes again. The answer
 * must come within five seconds: what takes longer, such as sending an e-mail, is for later.
 */
function act({ hook, data }: { hook: { event: string }; data: Record<string, unknown> }): void {
  const { id, status, amount, currency } = data
  const facts = [id, status, amount, currency].filter((fact) => fact !== undefined)
  console.log(`${hook.event}: ${facts.join(' ')}`)
}

/** A clock may be this far off, and a notification this old. */
const TOLERANCE_S = 5 * 60

/** Whether a notification is ours and fresh, as the Standard Webhooks specification says (standardwebhooks.com). */
function isGenuine(id: string, request: IncomingMessage, body: string): boolean {
  const timestamp = String(request.headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S)) return false
  const given = String(request.headers['webhook-signature']).split(' ')
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const right = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
    return given.some((signature) => {
      const bytes = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
      return bytes.length === right.length && timingSafeEqual(bytes, right)
    })
  })
}
