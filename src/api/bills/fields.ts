import type { FastifyRequest } from 'fastify'
import { requiredText } from '../../core/fields.ts'
import { parseJsonBody } from '../../http/bodies.ts'
import { CORE_ALIASES, unifySpellings } from '../../http/spellings.ts'

type Fields = Record<string, unknown>

/** The caller's reference of a purchase. Spaces around it are removed, so that they do not make a second purchase. */
export const agentReference = requiredText(100).transform((text) => text.trim())

/**
 * Collect the fields of a bill-payment request into the body of a POST or the query of a GET. Existing clients send
 * them as a body, in the URL of a POST, or in the body of a GET. The query counts when a POST has no body, and the body
 * counts when a GET has no query. Other spellings of a field, such as `agentRefernce`, become the one spelling of the
 * routes.
 * @param bytes the raw body; only needed for a GET, whose body is not parsed.
 * @throws Invalid when both spellings are given and differ.
 */
export function gatherFields(request: FastifyRequest, bytes: Buffer | undefined): void {
  const query = request.query as Fields
  if (request.method === 'GET' || request.method === 'HEAD') {
    request.query = unifySpellings(request, isEmptyObject(query) ? readGetBody(bytes) : query, FIELD_ALIASES)
  } else {
    const body = (request.body ?? {}) as Fields
    request.body = unifySpellings(request, isEmptyObject(body) ? { ...query } : body, FIELD_ALIASES)
  }
}

/** The fields in the body of a GET; none when it cannot be parsed, since a GET needs no body. */
function readGetBody(bytes: Buffer | undefined): Fields {
  try {
    return parseJsonBody(bytes?.toString('utf8') ?? '')
  } catch {
    return {}
  }
}

/** Other names of fields: the interface writes `agentRefernce`, all clients `agentReference`; newer clients use the rest. */
const FIELD_ALIASES: Readonly<Record<string, string>> = {
  ...CORE_ALIASES,
  agentRefernce: 'agentReference',
  data_code: 'datacode',
  pinCount: 'numberOfPins',
}

function isEmptyObject(fields: Fields): boolean {
  return Object.keys(fields).length === 0
}
