import { createPublicKey, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isSigned,
  readSignatureInput,
  type SignedMessage,
  signatureBase,
  signRequest,
  verifySignature,
} from '../../../src/networks/pawapay/signatures.ts'
import { newKeys } from './pawapay-test.ts'

/**
 * A callback of pawaPay's sandbox that an integrator has published, with the key that pawaPay tells. Its body was not published,
 * so its digest cannot be compared.
 */
const real = {
  key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEavII3g0Afh79ExaQzItBh0vEg85JJlKmjY/776EaZOe0bAQU5oJrmaEeZQdKqBSXXzKUsCh6rHZKD8EkaIIH6g==',
  url: 'https://pay-api.reignovatechnologies.com/api/v1/webhooks/pawapay',
  headers: {
    'content-type': 'application/json',
    'signature-date': '2026-09-23T13:55:10.673817314Z',
    'content-digest':
      'sha-512=:nlU9HFYJ3DK9H2MoIsmo6Rtfi8zzIPD7aXYH3yFskeOomWOUlpGbBjN0WOWUjctMWmgPQp+HMyZYwDP8sTeSIA==:',
  },
  input:
    'sig-pp=("@method" "@authority" "@path" "signature-date" "content-digest" "content-type");alg="ecdsa-p256-sha256";keyid="HTTP_EC_P256_KEY:1";created=1790171710;expires=1790171770',
  signature: 'MEYCIQD0ks6XJ87Bdz3DAICiyYvk3G+PH55x6kPjtsikACmDzgIhAK5hODjNtTfW/Up/v17LhveEEMBWlUWoxv5XPMcocKqH',
}
const real_key = createPublicKey({ key: Buffer.from(real.key, 'base64'), format: 'der', type: 'spki' })

describe('a callback that pawaPay has signed', () => {
  const input = readSignatureInput(real.input)!
  const base = (change: Partial<typeof real> & { method?: string } = {}) => {
    const { url, headers, method = 'POST' } = { ...real, ...change }
    return signatureBase({ method, url, headers }, input)!
  }
  const signature = Buffer.from(real.signature, 'base64')

  it('has the right signature', () => {
    expect(input).toMatchObject({ label: 'sig-pp', key_id: 'HTTP_EC_P256_KEY:1', created: 1_790_171_710 })
    expect(verifySignature(base(), signature, real_key)).toBe(true)
  })

  it('has a wrong one with any other method, host, path, date, digest or key', () => {
    const others = [
      base({ method: 'PUT' }),
      base({ url: real.url.replace('pay-api', 'pay') }),
      base({ url: `${real.url}/more` }),
      base({ headers: { ...real.headers, 'signature-date': '2026-09-23T13:55:11Z' } }),
      base({ headers: { ...real.headers, 'content-digest': 'sha-512=:AAAA:' } }),
    ]
    for (const other of others) expect(verifySignature(other, signature, real_key), other).toBe(false)
    expect(verifySignature(base(), signature, createPublicKey(newKeys().public_pem))).toBe(false)
  })
})

const keys = newKeys()
const public_key = createPublicKey(keys.public_pem)
const now = new Date('2026-11-22T08:00:00Z')
const body = '{"depositId":"1"}'
const request = {
  method: 'POST',
  url: 'https://pay.example.com:8443/cb/deposits?x=1',
  content_type: 'application/json',
}

/** A signed request, with changes made after signing. */
function signed(change: Partial<SignedMessage> = {}, at = now) {
  const headers = signRequest({ ...request, body }, { key: keys.privateKey, key_id: 'K:1' }, at)
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const message: SignedMessage = {
    method: request.method,
    url: request.url,
    body: Buffer.from(body),
    headers: { 'content-type': request.content_type, ...lower },
    ...change,
  }
  return { message, input: readSignatureInput(message.headers['signature-input']) }
}
const isRight = ({ message, input }: ReturnType<typeof signed>, at = now) =>
  input !== undefined && isSigned(message, input, public_key, at)

describe('a signature of ours', () => {
  it('is one that pawaPay accepts: DER, over the parts that it names', () => {
    const { message, input } = signed()
    expect(message.headers).toMatchObject({
      'signature-date': '2026-11-22T08:00:00.000Z',
      'content-digest': expect.stringMatching(/^sha-512=:[A-Za-z0-9+/]{86}==:$/),
      'signature-input':
        'sig-pp=("@method" "@authority" "@path" "signature-date" "content-digest" "content-type");alg="ecdsa-p256-sha256";keyid="K:1";created=1795334400;expires=1795334460',
    })
    expect(Buffer.from(message.headers.signature!.slice(8, -1), 'base64')[0]).toBe(0x30)
    expect(signatureBase(message, input!)?.split('\n').slice(0, 3)).toEqual([
      '"@method": POST',
      '"@authority": pay.example.com:8443',
      '"@path": /cb/deposits',
    ])
    expect(isRight(signed())).toBe(true)
  })

  it('may have the form of the RFC, too', () => {
    const { message, input } = signed()
    const base = signatureBase(message, input!)!
    const raw = sign('sha256', Buffer.from(base), { key: keys.privateKey, dsaEncoding: 'ieee-p1363' })
    expect(raw).toHaveLength(64)
    const headers = { ...message.headers, signature: `sig-pp=:${raw.toString('base64')}:` }
    expect(isSigned({ ...message, headers }, input!, public_key, now)).toBe(true)
  })

  it('is right for five minutes before and after its life', () => {
    const at = (seconds: number) => isRight(signed(), new Date(now.getTime() + seconds * 1_000))
    expect([-299, 0, 60, 359].map(at)).toEqual([true, true, true, true])
    expect([-301, 361, 86_400].map(at)).toEqual([false, false, false])
  })

  it('is wrong for another body, whether the digest is kept or replaced', () => {
    const other = Buffer.from('{"depositId":"2"}')
    expect(isRight(signed({ body: other }))).toBe(false)
    const { message } = signed()
    const { 'content-digest': digest } = signRequest(
      { ...request, body: other.toString() },
      { key: keys.privateKey, key_id: 'K:1' },
      now,
    ) as never
    const headers = { ...message.headers, 'content-digest': String(digest) }
    expect(isRight(signed({ body: other, headers }))).toBe(false)
    expect(isRight(signed({ headers: { ...message.headers, 'content-digest': 'md5=:AAAA:' } }))).toBe(false)
  })

  it('is wrong if a needed part is not covered, comes twice, or is of another kind', () => {
    const { message } = signed()
    const given = message.headers['signature-input']!
    const forms = [
      ...['"@method" ', '"@authority" ', '"@path" ', ' "content-digest"'].map((part) => given.replace(part, '')),
      given.replace('"@method"', '"@method" "@method"'),
      given.replace('"@method"', '"@method";req'),
      given.replace('"content-type"', '"x-missing"'),
      given.replace('ecdsa-p256-sha256', 'hmac-sha256'),
      given.replace(';created=1795334400', ''),
      given.replace('sig-pp=', 'sig-qq='),
      `${given}, sig-2=();created=1;keyid="K:1"`,
      `${given};created=1795334400`,
    ]
    for (const form of forms) {
      const headers = { ...message.headers, 'signature-input': form }
      expect(isRight(signed({ headers })), form).toBe(false)
    }
  })

  it('is never made of anything else', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 })
    const { message } = signed()
    fc.assert(
      fc.property(text, text, text, (input, signature, digest) => {
        const headers = { ...message.headers, 'signature-input': input, signature, 'content-digest': digest }
        const read = readSignatureInput(input)
        expect(read !== undefined && isSigned({ ...message, headers }, read, public_key, now)).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})
