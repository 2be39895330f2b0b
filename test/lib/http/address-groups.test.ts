import { expect, it } from 'vitest'
import { addressGroupOf } from '../../../src/lib/http/address-groups.ts'

it('counts an IPv4 address by itself, in any notation', () => {
  expect(addressGroupOf('192.0.2.7')).toBe('192.0.2.7')
  expect(addressGroupOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(addressGroupOf('::ffff:c000:207')).toBe('192.0.2.7')
})

it('counts the IPv6 addresses of one network together', () => {
  expect(addressGroupOf('2001:db8:0:1::7')).toBe(addressGroupOf('2001:db8:0:1:ffff:1:2:3'))
  expect(addressGroupOf('2001:db8:0:1::7')).not.toBe(addressGroupOf('2001:db8:0:2::7'))
  expect(addressGroupOf('fe80::1%eth0')).toBe('fe80::/64')
})

it('leaves alone what is no address', () => {
  expect(addressGroupOf('unix')).toBe('unix')
})
