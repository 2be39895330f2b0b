import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { DriverTools } from '../contract.ts'

/** Read a public key for ECDSA with P-256 in PEM. Undefined for anything else. */
export function readPublicKey(pem: string): KeyObject | undefined {
  // A private key is not public: Node.js would make a public one of it.
  return pem.includes('PRIVATE KEY') ? undefined : readKey(() => createPublicKey(pem.trim()))
}

/** Read a private key for ECDSA with P-256 in PEM. Undefined for anything else. */
export function readSigningKey(pem: string): KeyObject | undefined {
  return readKey(() => createPrivateKey(pem.trim()))
}

function readKey(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read()
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined
  }
}

/** The public keys with which pawaPay signs callbacks. */
export interface CallbackKeys {
  find(key_id: string): KeyObject | undefined
  /** Fetch the keys if this one is not known. Undefined when there is nothing to fetch. It never throws. */
  prepare(key_id: string, call: FetchKeys): Promise<void> | undefined
}

/** Ask for the list of keys. */
export type FetchKeys = () => Promise<{ status: number; body: unknown } | undefined>

/** Pause between key fetches that callbacks cause: anyone may send a callback with an unknown key name. */
const FETCH_PAUSE_MS = 60_000

/**
 * Open the keys of one connection: the key of its settings, or the keys that pawaPay lists.
 * @param pem the key of the settings, if there is one
 */
export function openCallbackKeys(pem: string | undefined, tools: Pick<DriverTools, 'now'>): CallbackKeys {
  const given = pem === undefined ? undefined : readPublicKey(pem)
  let known: ReadonlyMap<string, KeyObject> = new Map()
  let fetched_ms = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | undefined

  async function readAgain(call: FetchKeys): Promise<void> {
    const found = await call()
    const keys = found?.status === 200 ? readKeys(found.body) : undefined
    if (keys) known = keys
  }

  return {
    find: (key_id) => given ?? known.get(key_id),
    prepare(key_id, call) {
      if (given || known.has(key_id)) return undefined
      if (fetching) return fetching
      const now_ms = tools.now().getTime()
      if (now_ms >= fetched_ms && now_ms - fetched_ms < FETCH_PAUSE_MS) return undefined
      fetched_ms = now_ms
      fetching = readAgain(call).finally(() => {
        fetching = undefined
      })
      return fetching
    },
  }
}

const Key = z.object({ id: z.string().min(1), key: z.string().min(1) })
/** pawaPay answers with a list. Some of its documentation shows a single key. */
const Keys = z.union([z.array(z.unknown()), Key.transform((one): unknown[] => [one])])

function readKeys(body: unknown): ReadonlyMap<string, KeyObject> | undefined {
  const listed = Keys.safeParse(body).data
  const read = listed?.flatMap((one) => {
    const entry = Key.safeParse(one).data
    const key = entry && readPublicKey(withFrame(entry.key))
    return key ? [[entry.id, key] as const] : []
  })
  return read && read.length > 0 ? new Map(read) : undefined
}

/** A key in PEM. Some answers have its base64 alone. */
function withFrame(key: string): string {
  return key.includes('-----BEGIN') ? key : `-----BEGIN PUBLIC KEY-----\n${key.trim()}\n-----END PUBLIC KEY-----`
}
