import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The options of the service, as far as an authenticator reads them. */
export interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  allowCredentials?: { id: string }[]
}

/** Changes that a browser or an attacker may make to an answer. */
export interface Changes {
  origin?: string
  challenge?: string
  domain?: string
  counter?: number
  type?: string
  key?: KeyObject
  /** The flags of the answer; without them the person was present and verified. */
  flags?: number
}

const PRESENT_AND_VERIFIED = 0x05
const WITH_CREDENTIAL = 0x40

/** A passkey (ES256) in the memory of the test, with the browser that asks it. Everything about its answers can be forged. */
export function createPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0

  const clientData = (type: string, challenge: string, changes: Changes) =>
    Buffer.from(
      JSON.stringify({
        type: changes.type ?? type,
        challenge: changes.challenge ?? challenge,
        origin: changes.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authenticatorData = (domain: string, flags: number, changes: Changes) => {
    counter = changes.counter ?? counter + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([hash(changes.domain ?? domain), Buffer.from([changes.flags ?? flags]), count])
  }
  return {
    id: id.toString('base64url'),
    /** Answer the options for a new passkey. @param statement what is said about the make of the device */
    create(options: Options, changes: Changes = {}, statement: [string, Map<string, unknown>] = ['none', new Map()]) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const data = authenticatorData(options.rp!.id, PRESENT_AND_VERIFIED | WITH_CREDENTIAL, changes)
      const [fmt, attStmt] = statement
      const object = isoCBOR.encode(
        new Map<string, never>([
          ['fmt', fmt as never],
          ['attStmt', attStmt as never],
          ['authData', new Uint8Array(Buffer.concat([data, credential])) as never],
        ]),
      )
      return answer(id, {
        clientDataJSON: encode(clientData('webauthn.create', options.challenge, changes)),
        attestationObject: encode(object),
        transports: ['internal'],
      })
    },
    /** Answer the options for using the passkey. */
    use(options: Options, changes: Changes = {}) {
      const client = clientData('webauthn.get', options.challenge, changes)
      const data = authenticatorData(options.rpId!, PRESENT_AND_VERIFIED, changes)
      const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), {
        key: createPrivateKey((changes.key ?? privateKey).export({ type: 'pkcs8', format: 'pem' })),
      })
      return answer(id, {
        clientDataJSON: encode(client),
        authenticatorData: encode(data),
        signature: encode(signature),
      })
    },
  }
}

function answer<Response>(id: Buffer, response: Response) {
  const text = id.toString('base64url')
  return { id: text, rawId: text, type: 'public-key', response, clientExtensionResults: {} }
}

/** The public key in the COSE format: an elliptic curve, ES256, P-256, and the point. */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' })
  const fields = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
  ])
  return Buffer.from(isoCBOR.encode(fields))
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
