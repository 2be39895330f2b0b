import { expect, it } from 'vitest'
import { relyingPartyOf } from '../../../src/core/access/passkeys.ts'

it('passkeys belong to the public address', () => {
  expect(relyingPartyOf('https://pay.example.com/')).toEqual({
    domain: 'pay.example.com',
    origin: 'https://pay.example.com',
  })
  expect(relyingPartyOf('https://pay.example.com:8443/x')).toEqual({
    domain: 'pay.example.com',
    origin: 'https://pay.example.com:8443',
  })
})

it('passkeys of a machine by itself belong to localhost', () => {
  const local = { domain: 'localhost', origin: 'http://localhost:3000' }
  for (const host of ['127.0.0.1', '127.0.0.2', '[::1]', 'localhost'])
    expect(relyingPartyOf(`http://${host}:3000`)).toEqual(local)
})

it('passkeys cannot work without https, or at an address without a name', () => {
  for (const url of ['http://pay.example.com', 'https://192.0.2.1', 'https://[2001:db8::1]', 'http://10.0.0.1:3000'])
    expect(relyingPartyOf(url)).toBeUndefined()
})
