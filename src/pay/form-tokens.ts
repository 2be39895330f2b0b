import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Lifetime of a form; an older one is shown again with its input. */
const MAX_AGE_MS = 12 * 3_600_000

/**
 * The tokens of forms and receipts. A form gets a random token that only this service can make, for one link; the address of
 * the receipt follows from it. So a form that is sent twice leads to one receipt, and no bot sends forms that it has not read.
 */
export interface FormTokens {
  /** A new token for the form of a link. */
  create(link: string, now: Date): string
  /** Return true if a token is ours, for this link, and not too old. */
  isValid(link: string, token: string, now: Date): boolean
  /** The random part of the address of the receipt of a form: 32 characters. */
  receiptOf(form: string): string
}

/** @param secret the same in all processes, so that they know each other's tokens */
export function createFormTokens(secret: string): FormTokens {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)
  return {
    create(link, now) {
      const body = `${now.getTime().toString(36)}.${randomBytes(15).toString('base64url')}`
      return `${body}.${sign(`form ${link} ${body}`)}`
    },
    isValid(link, token, now) {
      const [, body, time, signature] = /^(([0-9a-z]{6,11})\.[\w-]{20})\.([\w-]{32})$/.exec(token) ?? []
      if (!body || !time || !signature) return false
      const age_ms = now.getTime() - Number.parseInt(time, 36)
      const expected = sign(`form ${link} ${body}`)
      return age_ms <= MAX_AGE_MS && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
    },
    receiptOf: (form) => sign(`receipt ${form}`),
  }
}
