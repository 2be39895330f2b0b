import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { Invalid } from '../core/refusals.ts'
import { parseObject } from '../lib/structured-input.ts'
import type { ErrorAnswer } from './errors.ts'

type Fields = Record<string, unknown>

declare module 'fastify' {
  interface FastifyRequest {
    /** The fields that the caller sent under another name: the name in the program → the name that was sent. */
    sent_names: ReadonlyMap<string, string> | null
  }
}

/** The other name of a field in every body: the interface calls the custom attributes `the service`. */
export const CORE_ALIASES: Readonly<Record<string, string>> = { 'the service': 'metadata' }

/**
 * Give the fields of a request that have several names the one name of the program, and note for `withSentNames` which
 * name was sent. An empty value counts as not given.
 * @param aliases another name → the name in the program
 * @throws Invalid when a field is given under two names, and the contents differ
 */
export function unifySpellings(
  request: FastifyRequest,
  fields: Fields,
  aliases: Readonly<Record<string, string>>,
): Fields {
  return Object.entries(aliases).reduce((unified, [alias, name]) => {
    if (!Object.hasOwn(unified, alias)) return unified
    const { [alias]: value, ...rest } = unified
    if (isEmptyValue(rest[name])) {
      request.sent_names = new Map([...(request.sent_names ?? []), [name, alias]])
      return { ...rest, [name]: value }
    }
    if (!isEmptyValue(value) && !isDeepStrictEqual(contentOf(rest[name]), contentOf(value)))
      throw new Invalid({ [name]: [`${name} and ${alias} are both given, and differ.`] })
    return rest
  }, fields)
}

/** An error answer that names the fields as the caller sent them. */
export function withSentNames<Answer extends ErrorAnswer>(answer: Answer, { sent_names }: FastifyRequest): Answer {
  if (!answer.fields || !sent_names) return answer
  const fields = Object.entries(answer.fields).map(([name, messages]) => [sent_names.get(name) ?? name, messages])
  return { ...answer, fields: Object.fromEntries(fields) }
}

/** Return the content of a value in any form: `7` equals `'7'`, and an object equals its JSON text. */
function contentOf(value: unknown): unknown {
  return parseObject(value) ?? (typeof value === 'number' || typeof value === 'boolean' ? `${value}` : value)
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
