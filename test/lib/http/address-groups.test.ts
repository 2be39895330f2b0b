import { expect, it } from 'vitest'
import { addressGroup } from '../../../src/lib/http/address-groups.ts'

it('counts an IPv4 address by itself, in any notation', () => {
  expect(addressGroup('192.0.2.7')).toBe('192.0.2.7')
  expect(addressGroup('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(addressGroup('::ffff:c000:207')).toBe('192.0.2.7')
})

it('counts the IPv6 addresses of one network together', () => {
  expect(addressGroup('2001:db8:0:1::7')).toBe(addressGroup('2001:db8:0:1:ffff:1:2:3'))
  expect(addressGroup('2001:db8:0:1::7')).not.toBe(addressGroup('2001:db8:0:2::7'))
  expect(addressGroup('fe80::1%eth0')).toBe('fe80::/64')
})

it('leaves alone what is no address', () => {
  for (const odd of ['', 'unix', 'a:b']) expect(addressGroup(odd)).toBe(odd)
})
