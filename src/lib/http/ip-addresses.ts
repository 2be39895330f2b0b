import ipaddr from 'ipaddr.js'

/** A range of IP addresses in CIDR form: base address and number of fixed bits. */
type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Reads ranges with commas between them, such as `10.0.0.0/8, fd00::/8`. A single address is a range of one. Undefined
 * when one of them is not valid.
 */
export function parseRanges(list: string): AddressRange[] | undefined {
  const parts = list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const ranges = parts.map(parseRange)
  return ranges.every((range) => range !== undefined) ? ranges : undefined
}

/**
 * True if an address belongs to the public internet. Loopback, private, link-local, reserved and tunnelled addresses do
 * not, in any notation. An IPv4 address inside an IPv6 address counts as the IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const ip = parseAddress(address)
  if (ip?.range() !== 'unicast' || ip.toString() === AZURE_HOST) return false
  return ip instanceof ipaddr.IPv4 || ip.match(...GLOBAL_UNICAST)
}

/** True if an address is in one of the ranges. */
export function isWithin(address: string, ranges: readonly AddressRange[]): boolean {
  const ip = parseAddress(address)
  return ip !== undefined && ranges.some(([base, bits]) => ip.kind() === base.kind() && matches(ip, base, bits))
}

/** True if a server that listens on this host can be reached only from its own machine. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || parseAddress(host)?.range() === 'loopback'
}

/** The URL at which this machine reaches a server that listens on a host. A client cannot connect to "all addresses". */
export function localUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

/** All public IPv6 addresses. Old forms such as `::127.0.0.1` are outside of this range. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Looks like a public address, but inside Azure it is the virtual machine's host, which serves its secrets. */
const AZURE_HOST = '168.63.129.16'
/** Networks with only IPv6 reach IPv4 hosts through these addresses; the last 32 bits are the host (RFC 6052). */
const NAT64_RANGE = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

function parseRange(text: string): AddressRange | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (text.includes('/') || !isFullAddress(text)) return undefined
  const ip = ipaddr.process(text)
  return [ip, ip.kind() === 'ipv4' ? 32 : 128]
}

/** True for a full address. Some programs accept short forms such as `10.1` or `0x7f000001`. Here they are errors. */
function isFullAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The zone of a link-local address (`fe80::1%eth0`) does not change its range.
  const plain = text.split('%', 1)[0]!
  if (!ipaddr.isValid(plain)) return undefined
  const ip = ipaddr.process(plain)
  return ip instanceof ipaddr.IPv6 && ip.match(...NAT64_RANGE) ? new ipaddr.IPv4(ip.toByteArray().slice(12)) : ip
}

function matches(ip: ipaddr.IPv4 | ipaddr.IPv6, base: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean {
  return ip instanceof ipaddr.IPv4 ? ip.match(base as ipaddr.IPv4, bits) : ip.match(base as ipaddr.IPv6, bits)
}
