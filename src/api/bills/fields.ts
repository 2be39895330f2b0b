import type { FastifyRequest } from 'fastify'
import { requiredText } from '../../core/fields.ts'
import { Invalid } from '../../core/refusals.ts'
import { parseJsonBody } from '../../http/bodies.ts'

type Fields = Record<string, unknown>

/** The caller's name of a purchase. Blanks around it are no part of it: the same order with a blank too many is not another. */
export const agentReference = requiredText(100).transform((text) => text.trim())

/**
 * Gathers the fields of a request for the routes of the bill counter, whose clients send them as a body, in the URL of a
 * POST, or in the body of a GET: the query counts where a body is absent, and the other way round. Of the spellings that
 * a field has, `agentRefernce` among them, one is left.
 * @param bytes the body as it came; only a GET needs it, because its body is not parsed.
 * @throws Invalid when both spellings are given and differ.
 */
export function gatherFields(request: FastifyRequest, bytes: Buffer | undefined): void {
  const query = request.query as Fields
  if (request.method === 'GET' || request.method === 'HEAD') {
    request.query = unifySpellings(isEmptyObject(query) ? readBody(bytes) : query)
  } else {
    const body = (request.body ?? {}) as Fields
    request.body = unifySpellings(isEmptyObject(body) ? { ...query } : body)
  }
}

/** A body that nobody expects is not worth a refusal. */
function readBody(bytes: Buffer | undefined): Fields {
  try {
    return parseJsonBody(bytes?.toString('utf8') ?? '')
  } catch {
    return {}
  }
}

function unifySpellings(fields: Fields): Fields {
  return Object.entries(SPELLINGS).reduce((spelt, [other, name]) => {
    if (!(other in spelt)) return spelt
    const { [other]: given, ...rest } = spelt
    if (isEmptyValue(rest[name])) return { ...rest, [name]: given }
    if (!isEmptyValue(given) && String(rest[name]) !== String(given))
      throw new Invalid({ [name]: [`${name} and ${other} are both given, and differ.`] })
    return rest
  }, fields)
}

/** Other names of fields: as the interface spells the reference, which every client spells right, and as newer clients do. */
const SPELLINGS: Readonly<Record<string, string>> = {
  agentRefernce: 'agentReference',
  data_code: 'datacode',
  pinCount: 'numberOfPins',
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function isEmptyObject(fields: Fields): boolean {
  return Object.keys(fields).length === 0
}
