import { createHash, randomUUID } from 'node:crypto'
import type { ReceivedText } from '../../lib/smpp/texts.ts'
import type { IncomingSms } from '../contract.ts'

/** A message of a customer, as it came. */
interface ReceivedPart {
  from: string
  to: string
  content: ReceivedText
  /** The bind over which it came. */
  bind: number
}

/** Put the SMS of customers together. */
interface CustomerTexts {
  /**
   * Store an SMS or a part of one. Returns true if it may be acknowledged: a part only when the whole SMS is stored.
   * Until then the provider is asked to send it again, which changes nothing.
   * @throws errors of storing
   */
  take(part: ReceivedPart): Promise<boolean>
  /** Forget the parts of incomplete SMS. The provider has no acknowledgement for them, and sends them again. */
  close(): void
}

interface CustomerTextsOptions {
  store(sms: IncomingSms): Promise<void>
  /** Milliseconds for which the acknowledgement of a part waits for the others. */
  part_ms: number
  /** After how long an SMS counts without the parts that have not come, in milliseconds. */
  incomplete_ms: number
  onError(error: unknown): void
}

/** Maximum SMS that wait for parts. */
const MAX_INCOMPLETE = 1_000
/** Within this time the same SMS over another bind is the one whose acknowledgement was lost. */
const REPEATED_MS = 600_000
/** Stand-in for a part that has not come. */
const MISSING = '…'

interface Incomplete {
  from: string
  to: string
  texts: Map<number, string>
  total: number
  /** Resolve when all of it is stored. */
  stored: Promise<void>
  finish(): Promise<void>
  timer: NodeJS.Timeout
  finishing?: Promise<void>
}

export function createCustomerTexts(options: CustomerTextsOptions): CustomerTexts {
  const incomplete = new Map<string, Incomplete>()
  const idOf = createIds()
  const store = ({ from, to, content, bind }: ReceivedPart) =>
    options.store({ remote_id: idOf(`${from} ${to} ${content.text}`, bind), from, to, text: content.text })

  const openIncomplete = (key: string, { from, to, bind }: ReceivedPart, total: number): Incomplete => {
    let resolveStored = () => {}
    const stored = new Promise<void>((resolve) => {
      resolveStored = resolve
    })
    const texts = new Map<number, string>()
    const storeAll = async () => {
      const text = Array.from({ length: total }, (_, index) => texts.get(index + 1) ?? MISSING).join('')
      await store({ from, to, bind, content: { text, part: null } })
      clearTimeout(one.timer)
      resolveStored()
      // It stays for a while, so that a repeated part is recognized.
      one.timer = setTimeout(() => incomplete.delete(key), REPEATED_MS).unref()
    }
    const finish = () => {
      one.finishing ??= storeAll().catch((error: unknown) => {
        delete one.finishing
        throw error
      })
      return one.finishing
    }
    const timer = setTimeout(() => finish().catch(options.onError), options.incomplete_ms).unref()
    const one: Incomplete = { from, to, texts, total, stored, finish, timer }
    incomplete.set(key, one)
    return one
  }

  return {
    async take(part) {
      const position = part.content.part
      if (!position) {
        await store(part)
        return true
      }
      const { reference, number, total } = position
      const key = `${part.from} ${part.to} ${reference} ${total}`
      const known = incomplete.get(key)
      // The reference begins anew after a while: another text under it is another SMS.
      const is_other = known?.finishing !== undefined && known.texts.get(number) !== part.content.text
      const one = known && !is_other ? known : openIncomplete(key, part, total)
      one.texts.set(number, part.content.text)
      await makeRoom(incomplete, options.onError)
      if (one.texts.size === one.total) {
        await one.finish()
        return true
      }
      return Promise.race([one.stored.then(() => true), after(options.part_ms)])
    },
    close() {
      for (const { timer } of incomplete.values()) clearTimeout(timer)
      incomplete.clear()
    },
  }
}

async function makeRoom(incomplete: Map<string, Incomplete>, onError: (error: unknown) => void): Promise<void> {
  if (incomplete.size <= MAX_INCOMPLETE) return
  for (const [key, one] of incomplete) {
    incomplete.delete(key)
    if (one.finishing) clearTimeout(one.timer)
    else await one.finish().catch(onError)
    return
  }
}

function after(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, false).unref()
  })
}

/**
 * SMPP gives the SMS of customers no ids. What comes again over a later bind is the SMS whose acknowledgement was lost with the
 * earlier one; over the same bind it is another.
 */
function createIds(): (content: string, bind: number) => string {
  const recent = new Map<string, { remote_id: string; bind: number; at: number }>()
  return (content, bind) => {
    const key = createHash('sha256').update(content).digest('base64')
    const now = performance.now()
    for (const [old, { at }] of recent)
      if (now - at > REPEATED_MS) recent.delete(old)
      else break
    const earlier = recent.get(key)
    const remote_id = earlier && earlier.bind < bind ? earlier.remote_id : randomUUID()
    recent.delete(key)
    recent.set(key, { remote_id, bind, at: now })
    return remote_id
  }
}
