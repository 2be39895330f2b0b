import ipaddr from 'ipaddr.js'

/**
 * Returns the client of an address, for counting requests or attempts: an IPv4 address, or the /64 network of an IPv6
 * address, such as `2001:db8:0:1::/64`. Every customer of a provider has at least one such network and may use any
 * address in it. An IPv4 address inside an IPv6 address counts as the IPv4 address.
 */
export function addressGroup(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return ip.toString()
  return `${new ipaddr.IPv6([...ip.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
