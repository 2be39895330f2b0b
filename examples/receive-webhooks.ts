/*
 * A receiver of webhook notifications. Needs only Node 24, which `npm ci` installs. During development:
 *
 *   1. npx kusanya listen --forward-to http://localhost:4000 --api-key <API key>         it prints a secret
 *   2. WEBHOOK_SECRET=whsec_… npm exec -- node examples/receive-webhooks.ts
 *   3. npx kusanya trigger collection.received --api-key <API key>
 *
 * In production, notifications come over https: create a webhook (POST /api/webhooks), show its secret with
 * `npx kusanya webhooks secret <id>`, and run this behind a server with TLS, or set TLS_KEY and TLS_CERT.
 * WEBHOOK_SECRET may contain several secrets with spaces between them: one for each webhook, or the old and the new one
 * during a rotation.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'

const { PORT = '4000', TLS_KEY, TLS_CERT } = process.env
const secrets = (process.env.WEBHOOK_SECRET ?? '').split(/\s+/).filter(Boolean)
if (secrets.length === 0) {
  console.error(
    'Set WEBHOOK_SECRET to the secret that `npx kusanya listen` or `npx kusanya webhooks secret <id>` prints.',
  )
  process.exit(1)
}

const server =
  TLS_KEY && TLS_CERT
    ? createSecureServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }, receive)
    : createServer(receive)
server.listen(Number(PORT), () => console.log(`Waiting for notifications on port ${PORT}.`))

/** The ids of processed notifications. A real shop stores them in its database; see `act`. */
const done = new Set<string>()

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const id = String(request.headers['webhook-id'])
  if (!isGenuine(id, request, body)) {
    console.log('Refused a notification with a wrong signature.')
    return void response.writeHead(401).end()
  }
  // A notification may come twice with the same id. Answer 200 each time; otherwise it comes again.
  try {
    if (done.has(id)) console.log(`Received ${id} again: nothing to do.`)
    else act(JSON.parse(body))
    done.add(id)
    response.writeHead(200).end()
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
}

/**
 * Your code goes here: mark the order as paid, and store the id of the notification in the same transaction. After an
 * error the answer is 500, and the notification comes again. Answer within five seconds: do slow work, such as sending an
 * e-mail, afterwards.
 */
function act({ hook, data }: { hook: { event: string }; data: Record<string, unknown> }): void {
  const { id, status, amount, currency } = data
  const values = [id, status, amount, currency].filter((value) => value !== undefined)
  console.log(`${hook.event}: ${values.join(' ')}`)
}

/** The maximum difference between the clocks, and the maximum age of a notification. */
const TOLERANCE_S = 5 * 60

/** Checks signature and age as the Standard Webhooks specification says (standardwebhooks.com). */
function isGenuine(id: string, request: IncomingMessage, body: string): boolean {
  const timestamp = String(request.headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S)) return false
  const signatures = String(request.headers['webhook-signature']).split(' ')
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
    return signatures.some((signature) => {
      const bytes = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
      return bytes.length === expected.length && timingSafeEqual(bytes, expected)
    })
  })
}
