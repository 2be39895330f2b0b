import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import type { App } from '../../../app.ts'
import { listConnections } from '../../../core/connections/connections.ts'
import { sandboxBillProviders, sandboxNetworks } from '../../../core/connections/sandbox-networks.ts'
import { listTargets } from '../../../core/events/backlog.ts'
import { createAddressCheck } from '../../../core/target-urls.ts'
import { error, type Finding, warning } from './check.ts'

/** Below this a certificate should have been renewed: most programs renew a month before the end. */
const MIN_DAYS_LEFT = 14
const DAY_MS = 24 * 3_600_000
/** The time for one host, from the name to the certificate. */
const HOST_TIMEOUT_MS = 5_000
const AT_ONCE = 16
/** The webhooks whose hosts are asked, the newest first. */
const MAX_WEBHOOKS = 500

const SIMULATED = new Set([...sandboxNetworks, ...sandboxBillProviders].map(({ slug }) => slug))

/** Host with a certificate, and its purpose. */
export interface CertificateHost {
  host: string
  port: number
  /** Beginning of a finding: "PUBLIC_URL", "Webhook 12". */
  what: string
  /** True if the operator renews it or requests it; certificates of webhooks belong to others. */
  is_own: boolean
  /** Return true if connections to this IP address are allowed. Default: all are. */
  allowsAddress?: (address: string) => boolean
}

type Parts = Pick<App, 'db' | 'clock' | 'config' | 'providers'>

/** The certificates of PUBLIC_URL, of networks and of webhooks: whether they are valid, and for how long. */
export async function checkCertificates(app: Parts): Promise<Finding[]> {
  const hosts = distinct([...ownHosts(app), ...(await connectionHosts(app)), ...(await webhookHosts(app))])
  const found = await mapWithLimit(hosts, AT_ONCE, (host) => checkHost(host, app.clock.real()))
  return found.flat()
}

function ownHosts({ config }: Parts): CertificateHost[] {
  return hostOf(config.PUBLIC_URL, { what: 'PUBLIC_URL', is_own: true })
}

async function connectionHosts({ db, providers }: Parts): Promise<CertificateHost[]> {
  const rows = await listConnections(db)
  return rows.flatMap(({ slug, state, environment, hosts }) => {
    // The sandbox's own networks are simulated, on this machine and without a certificate.
    const found = state === 'active' && !SIMULATED.has(slug) ? providers.find(slug) : undefined
    const all = { ...found?.driver.environments[environment]?.hosts, ...(found && hosts) }
    return Object.values(all).flatMap((url) => hostOf(String(url), { what: `The network of ${slug}`, is_own: true }))
  })
}

async function webhookHosts({ db, config }: Parts): Promise<CertificateHost[]> {
  const allowsAddress = createAddressCheck(config)
  const targets = await listTargets(db, MAX_WEBHOOKS)
  return targets.flatMap(({ id, target }) => hostOf(target, { what: `Webhook ${id}`, is_own: false, allowsAddress }))
}

function hostOf(url: string | undefined, rest: Omit<CertificateHost, 'host' | 'port'>): CertificateHost[] {
  if (!url?.startsWith('https:') || !URL.canParse(url)) return []
  const { hostname, port } = new URL(url)
  return [{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), ...rest }]
}

/** Keep each host once, with its first purpose. */
function distinct(hosts: readonly CertificateHost[]): CertificateHost[] {
  return [...new Map([...hosts].reverse().map((one) => [`${one.host}:${one.port}`, one])).values()].reverse()
}

/** Read the certificate of one host and judge it. */
export async function checkHost(asked: CertificateHost, now: Date): Promise<Finding[]> {
  const { what, host, port, is_own } = asked
  const level = is_own ? error : warning
  const where = `${what} (${host}${port === 443 ? '' : `:${port}`})`
  const read = await readCertificate(asked).catch((reason: Error) => reason)
  if (read instanceof Error)
    return [
      warning(
        `${where} shows no certificate: ${read.message}.`,
        `Check that this machine reaches it: \`curl -v https://${host}${port === 443 ? '' : `:${port}`}/\`.`,
      ),
    ]
  const ends = new Date(read.valid_to)
  const days = Math.floor((ends.getTime() - now.getTime()) / DAY_MS)
  const renew = is_own
    ? 'Renew it, and look why it was not renewed by itself (certbot, Caddy). For the certificate of a network, ask the network.'
    : 'Tell the organization of this webhook: its notifications fail without a valid certificate.'
  if (days < 0) return [level(`The certificate of ${where} has expired on ${ends.toISOString()}.`, renew)]
  if (days < MIN_DAYS_LEFT)
    return [level(`The certificate of ${where} expires in ${days} days, on ${ends.toISOString()}.`, renew)]
  return read.fault === null ? [] : [level(`The certificate of ${where} is not trusted: ${read.fault}.`, renew)]
}

/** The certificate that a host shows, also one that is not valid. */
async function readCertificate({ host, port, allowsAddress }: CertificateHost) {
  const address = isIP(host) ? host : (await dns.lookup(host)).address
  if (allowsAddress && !allowsAddress(address)) throw new Error(`its address ${address} is not allowed for webhooks`)
  return new Promise<Pick<PeerCertificate, 'valid_to'> & { fault: string | null }>((resolve, reject) => {
    const socket = connect({
      host: address,
      port,
      rejectUnauthorized: false,
      timeout: HOST_TIMEOUT_MS,
      ...(isIP(host) ? {} : { servername: host }),
    })
    // The time limit holds for the whole, also against a host that sends a byte now and then.
    const timer = setTimeout(() => socket.destroy(new Error('it does not answer')), HOST_TIMEOUT_MS)
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      const fault = socket.authorized ? null : String(socket.authorizationError)
      socket.destroy()
      resolve({ valid_to, fault })
    })
    socket.once('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new Error('it ended the connection'))
    })
  })
}

/** Call `work` for each item, at most `limit` at a time. @returns the results in the order of the items */
async function mapWithLimit<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const waiting = items.entries()
  const runner = async () => {
    // All runners share one iterator, so that each item is taken once.
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runner))
  return results
}
