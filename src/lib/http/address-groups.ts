import ipaddr from 'ipaddr.js'

/**
 * The group of addresses that one person can be expected to control, for counting attempts: an IPv4 address by itself, an
 * IPv6 address with all others of its /64 network, such as `2001:db8:0:1::/64`. An IPv4 address inside an IPv6 address
 * counts as the IPv4 address.
 */
export function addressGroupOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return ip.toString()
  const parts = [...ip.parts.slice(0, 4), 0, 0, 0, 0]
  return `${new ipaddr.IPv6(parts).toString()}/64`
}
