/*
 * A receiver of notifications: what a shop runs to hear of its money. Needs nothing but Node 24, which `npm ci` brings
 * along, and openssl where it has to make itself a certificate.
 *
 *   1. Ask to be told:     curl http://127.0.0.1:3000/api/webhooks -H 'Authorization: Token <API_KEY>' \
 *                            -d event=collection.received -d 'target=https://localhost:8443/?skip-cert-verify'
 *   2. Look up the secret: npx kusanya webhooks secret <id of the webhook>
 *   3. Run this:           WEBHOOK_SECRET=whsec_… npm exec -- node examples/receive-webhooks.ts
 *
 * Several secrets may be given, with blanks between them: one for each webhook, and while one is being replaced both.
 * PORT is 8443 unless it is set. TLS_KEY and TLS_CERT name the files of a real certificate.
 */
import { execFileSync } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a notification holds: the webhook that asked for it, and the object that it tells of. */
interface Notification {
  hook: { id: number; event: string }
  data: Record<string, unknown>
}

const secrets = (process.env.WEBHOOK_SECRET ?? '').split(/\s+/).filter(Boolean)
const port = Number(process.env.PORT ?? 8443)
if (secrets.length === 0) {
  console.error('Set WEBHOOK_SECRET to what `npx kusanya webhooks secret <id>` shows.')
  process.exit(1)
}

createServer(certificate(), receive).listen(port, () => {
  console.log(`Waiting for notifications at https://localhost:${port}/`)
})

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const id = String(request.headers['webhook-id'] ?? '')
  if (!isGenuine(id, request, body)) {
    response.writeHead(401).end()
    console.log('Turned away a notification with a wrong signature.')
    return
  }
  // The answer goes first: it must come within five seconds, whatever the work takes.
  response.writeHead(200).end()
  if (isKnown(id)) {
    console.log(`Heard again of ${id}: nothing to do.`)
    return
  }
  act(JSON.parse(body))
}

/** Your business goes here: mark the order as paid, send the goods. */
function act({ hook, data }: Notification): void {
  const { id, status, amount, currency } = data
  const facts = [status, amount, currency].filter((fact) => fact !== undefined)
  console.log([`${hook.event}: ${id ?? ''}`, ...facts].join(' '))
}

/** A clock may be this far off, and a notification this old. */
const TOLERANCE_S = 5 * 60

/** Whether a notification is ours and fresh, as the Standard Webhooks specification says (standardwebhooks.com). */
function isGenuine(id: string, request: IncomingMessage, body: string): boolean {
  const timestamp = String(request.headers['webhook-timestamp'] ?? '')
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S)) return false
  const given = String(request.headers['webhook-signature'] ?? '').split(' ')
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const right = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
    return given.some((signature) => {
      const bytes = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
      return bytes.length === right.length && timingSafeEqual(bytes, right)
    })
  })
}

const known = new Set<string>()

/**
 * A notification may come more than once, always under the same id. In a real shop the ids belong into the database, in
 * the same transaction as the work, so that neither is ever there without the other.
 */
function isKnown(id: string): boolean {
  if (known.has(id)) return true
  known.add(id)
  return false
}

/** The certificate that is named, or one made for the moment, for targets that say `?skip-cert-verify`. */
function certificate(): { key: Buffer; cert: Buffer } {
  const { TLS_KEY, TLS_CERT } = process.env
  if (TLS_KEY && TLS_CERT) return { key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }
  const folder = mkdtempSync(join(tmpdir(), 'receive-webhooks-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', ...subject, ...files], {
    stdio: 'ignore',
  })
  const made = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return made
}
