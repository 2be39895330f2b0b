import { networkInterfaces } from 'node:os'
import { isPublicAddress, isWithin, parseRanges } from '../lib/http/ip-addresses.ts'
import { type Reach, withoutBrackets } from '../lib/http/reach.ts'
import type { StoredConnection } from './registry.ts'

/**
 * Return the addresses that a connection's driver may call. The operator's own connections may call any. So may those
 * of a sole organization: its managers operate the installation. Where several organizations share it, their
 * connections may call public addresses of other machines. The operator may name more: hosts (`--host`) and networks
 * (`--allow-networks`).
 * @param isShared whether several organizations share the installation
 */
export function reachOf(
  { organization, hosts, allowed_networks = '' }: StoredConnection,
  isShared: () => Promise<boolean>,
): Reach | undefined {
  if (organization === null) return undefined
  const named = new Set(Object.values(hosts).flatMap(hostAndPort))
  const allowed = parseRanges(allowed_networks) ?? []
  return {
    trusts: async (host, port) => named.has(`${host} ${port}`) || !(await isShared()),
    allows: (address) => (isPublicAddress(address) && !isOfThisMachine(address)) || isWithin(address, allowed),
  }
}

const USUAL_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80, 'smpp:': 2775, 'ssmpp:': 2775 }

function hostAndPort(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { protocol, hostname, port } = new URL(address)
  return [`${withoutBrackets(hostname)} ${port === '' ? USUAL_PORTS[protocol] : port}`]
}

/** A public address of this machine leads past the firewall before it. */
function isOfThisMachine(address: string): boolean {
  return Object.values(networkInterfaces()).some((those) => those?.some((own) => own.address === address))
}
