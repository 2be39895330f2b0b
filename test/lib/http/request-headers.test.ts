import { describe, expect, it } from 'vitest'
import { normalizeHeaders, plainAddress } from '../../../src/lib/http/request-headers.ts'

describe('an address that a proxy forwards', () => {
  it.each([
    ['196.201.214.200', '196.201.214.200'],
    ['196.201.214.200:5678', '196.201.214.200'],
    [' "196.201.214.200:5678" ', '196.201.214.200'],
    ['[::1]:80', '::1'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['"[2001:db8::7]:4711"', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::ffff:196.201.214.200', '196.201.214.200'],
    ['[::FFFF:196.201.214.200]:9', '196.201.214.200'],
    ['unknown', 'unknown'],
    ['_hidden', '_hidden'],
    ['1.2.3.4.5:80', '1.2.3.4.5:80'],
    ['', ''],
  ])('%j counts as %j', (element, address) => {
    expect(plainAddress(element)).toBe(address)
  })
})

/** Normalize headers as Node does, for comparison. */
function normalize(...raw: [name: string, value: string][]) {
  const headers: Record<string, string> = {}
  for (const [name, value] of raw) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return { fault: normalizeHeaders({ headers, rawHeaders: raw.flat() }), headers }
}

describe('a header that comes twice', () => {
  it.each(['Duplicate-Check-Key', 'DUPLICATE-CHECK-KEY', 'Authorization', 'X-Api-Key', 'Last-Event-ID', 'Signature'])(
    'is one where its values are equal, and a fault where they differ: %s',
    (name) => {
      const { fault, headers } = normalize([name, 'K'], [name.toLowerCase(), ' K '])
      expect([fault, headers[name.toLowerCase()]]).toEqual([undefined, 'K'])
      expect(normalize([name, 'K'], [name, 'L']).fault).toBe(name)
    },
  )

  it('is joined where it is a list', () => {
    const { fault, headers } = normalize(['Accept', 'text/csv'], ['Accept', 'application/json'])
    expect([fault, headers.accept]).toEqual([undefined, 'text/csv, application/json'])
  })

  it('names each proxy in turn', () => {
    const { headers } = normalize(['X-Forwarded-For', '1.2.3.4:5678, [::1]:80'], ['X-Forwarded-For', '10.0.0.1:9'])
    expect(headers['x-forwarded-for']).toBe('1.2.3.4, ::1, 10.0.0.1')
  })
})
