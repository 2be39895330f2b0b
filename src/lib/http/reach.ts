import { promises as dns, type LookupAddress } from 'node:dns'
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { getMessage } from '../messages/message.ts'

/** Rules for the addresses of calls to hosts that somebody else than the operator has chosen. */
export interface Reach {
  /** Returns true if any address of this host will do, because the operator has named it. Asked at each connection. */
  trusts(host: string, port: number): Promise<boolean>
  allows(address: string): boolean
  resolve?: Resolve
}

/** Looks up names, by default in the DNS; tests replace it. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

/** A name with an address that must not be called. */
export class PrivateAddress extends Error {}
/** A name without an address. */
export class Unresolved extends Error {}
/** A host that a connection must not call, or cannot find: the message is the same, so that it tells nothing about the inner network. */
export class OutOfReach extends Error {
  constructor() {
    super(OUT_OF_REACH)
  }
}

const OUT_OF_REACH = getMessage('http.host_no_public')

/** Makes a look-up that rejects a name unless all of its addresses are allowed. @throws PrivateAddress, Unresolved */
export function createAddressLookup(allows: Reach['allows'], resolve: Resolve = resolveHost): Resolve {
  return async (hostname) => {
    const family = isIP(hostname)
    const resolved = family ? [{ address: hostname, family }] : resolve(hostname)
    const found = await Promise.resolve(resolved).catch((cause: unknown) => {
      throw new Unresolved(getMessage('http.cannot_looked_up', { hostname }), { cause })
    })
    if (found.length === 0) throw new Unresolved(getMessage('http.no_address', { hostname }))
    if (!found.every(({ address }) => allows(address)))
      throw new PrivateAddress(getMessage('http.address_not_public', { hostname }))
    return found
  }
}

/** The form in which sockets take a look-up. */
export function asLookupFunction(lookUp: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    lookUp(hostname).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error) => callback(error, '', 0),
    )
  }
}

/** The look-up of the sockets of a reach. The address that was checked is the one that is called. It rejects with OutOfReach. */
export function lookupWithin({ allows, resolve }: Reach): LookupFunction {
  const lookUp = createAddressLookup(allows, resolve)
  return asLookupFunction((hostname) =>
    lookUp(hostname).catch(() => {
      throw new OutOfReach()
    }),
  )
}

/**
 * Decides about a connection before it is opened.
 * @returns true if the look-up must check the addresses of the host
 * @throws OutOfReach for a numeric address that is not allowed: sockets do not look it up
 */
export async function mustCheckLookup(reach: Reach, host: string, port: number): Promise<boolean> {
  const plain = withoutBrackets(host)
  if (await reach.trusts(plain, port)) return false
  if (isIP(plain) && !reach.allows(plain)) throw new OutOfReach()
  return true
}

/** Target of a socket, for protocols other than HTTP. */
export interface SocketTarget {
  host: string
  port: number
  tls: boolean
  /** The certificate authority (PEM), where it is not one that the internet trusts. */
  ca?: string
}

/** Opens a socket that is connecting. Its errors arrive as events. @throws OutOfReach */
export async function openSocket({ host, port, tls, ca }: SocketTarget, reach?: Reach): Promise<Socket> {
  const must_check = reach !== undefined && (await mustCheckLookup(reach, host, port))
  const target = { host, port, ...(must_check && { lookup: lookupWithin(reach) }) }
  if (!tls) return connectPlain(target)
  return connectTls({ ...target, ...(isIP(host) === 0 && { servername: host }), ...(ca !== undefined && { ca }) })
}

/** URLs write IPv6 addresses in brackets. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 })

/**
 * Looks up the addresses of a host. It asks DNS directly, because the system's look-up blocks one of very few threads,
 * and names with dead servers would delay all other look-ups. A name that is not in DNS may still be in the hosts file.
 */
async function resolveHost(hostname: string): Promise<LookupAddress[]> {
  const name = hostname.replace(/\.$/, '')
  if (!name.includes('.') || name.endsWith('.localhost')) return dns.lookup(name, { all: true })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (found.length > 0) return found
  const failed = answers.find((answer) => answer.status === 'rejected' && !isUnknownHost(answer.reason))
  if (failed?.status === 'rejected') throw failed.reason
  return dns.lookup(name, { all: true })
}

function isUnknownHost(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOTFOUND' || error.code === 'ENODATA'
}
