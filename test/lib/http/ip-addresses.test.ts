import { describe, expect, it } from 'vitest'
import { isLoopbackHost, isPublicAddress, isWithin, localUrl, parseRanges } from '../../../src/lib/http/ip-addresses.ts'

describe('an address is public', () => {
  it.each(['8.8.8.8', '41.90.64.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('an address is not public', () => {
  it.each([
    ['this host', '0.0.0.0'],
    ['loopback', '127.8.9.1'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['shared by carriers (NAT)', '100.64.0.1'],
    ['link-local, metadata service of clouds', '169.254.169.254'],
    ['host service of Azure', '168.63.129.16'],
    ['host service of Azure inside of IPv6', '::ffff:a83f:8110'],
    ['metadata service of Alibaba', '100.100.100.200'],
    ['metadata service of Oracle', '192.0.0.192'],
    ['metadata service of AWS in IPv6', 'fd00:ec2::254'],
    ['documentation', '192.0.2.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['link-local', 'fe80::1%eth0'],
    ['unique local', 'fd00::1'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['documentation', '2001:db8::1'],
    ['multicast', 'ff02::1'],
    ['private inside of IPv6', '::ffff:10.0.0.1'],
    ['loopback inside of IPv6, in hexadecimal', '::ffff:7f00:1'],
    ['translation inside one network', '64:ff9b:1::a00:1'],
    ['private address through translation', '64:ff9b::10.0.0.1'],
    ['the old form of an IPv4 address', '::127.0.0.1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['nonsense', 'localhost'],
    ['empty', ''],
  ])('%s: %s', (_why, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('ranges', () => {
  it('contain their addresses in any notation, and no others', () => {
    const ranges = parseRanges('10.0.0.0/8, fd00::/8,192.0.2.7')!
    for (const address of ['10.255.0.1', '::ffff:10.0.0.1', 'fd12::1', '192.0.2.7'])
      expect(isWithin(address, ranges)).toBe(true)
    for (const address of ['11.0.0.1', 'fe80::1', '192.0.2.8', 'example']) {
      expect(isWithin(address, ranges)).toBe(false)
    }
  })

  it('may be an empty list', () => {
    expect(parseRanges('')).toEqual([])
    expect(isWithin('10.0.0.1', [])).toBe(false)
  })

  it.each(['10.0.0.0/33', '10.0.0', 'ten', '10.0.0.1-10.0.0.9', 'fd00::/129', '10/8x'])('are refused: %s', (list) => {
    expect(parseRanges(list)).toBeUndefined()
  })
})

describe('a host that only its own machine reaches', () => {
  it('is a loopback address or localhost', () => {
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1']) expect(isLoopbackHost(host)).toBe(true)
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'shop.example', '']) expect(isLoopbackHost(host)).toBe(false)
  })
})

it('has a URL for the host of a server, also for all hosts and for IPv6', () => {
  const urls = ['127.0.0.1', 'localhost', '0.0.0.0', '::', '::1', 'fd00::5'].map((host) => localUrl(host, 3000))
  expect(urls).toEqual([
    'http://127.0.0.1:3000',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://[fd00::5]:3000',
  ])
  for (const url of urls) expect(URL.canParse(url)).toBe(true)
})
