import type { BillCode } from '../core/bills/refusals.ts'
import type { FieldErrors } from '../core/refusals.ts'

/**
 * The HTTP status of each code. The documentation of the original service says only that success is 200 and that failure
 * is usually 400, 500 or 503. docs/interface-gaps.md lists this choice.
 */
export const billStatuses: Record<BillCode, number> = {
  BX0002: 404,
  BX0003: 400,
  BX0004: 401,
  BX0005: 401,
  BX0006: 401,
  BX0007: 401,
  BX0009: 403,
  BX0011: 401,
  BX0012: 401,
  BX0013: 401,
  BX0014: 401,
  BX0015: 401,
  BX0016: 401,
  BX0018: 404,
  BX0020: 400,
  BX0021: 503,
  BX0023: 400,
  BX0024: 503,
  BX0025: 400,
  BX0026: 404,
  EXC00102: 400,
  EXC00103: 503,
  EXC00105: 503,
  EXC00107: 400,
  EXC00109: 503,
  EXC00127: 400,
  EXC00131: 503,
  EXC00144: 503,
  UNK0001: 500,
}

/** The error body of the bill-payment API: `{status: "error", message, code, errors}` (docs/bills.md). */
export function billErrorBody(
  answer: {
    status: number
    detail: string
    code?: BillCode
    fields?: FieldErrors
    extra_fields?: Record<string, unknown>
  },
  request_id: string,
): Record<string, unknown> {
  const fields = Object.entries(answer.fields ?? {})
  const code = answer.code ?? codeForStatus(answer.status)
  return {
    status: 'error',
    message: answer.fields && !answer.code ? INVALID_PARAMETERS : answer.detail,
    code,
    errors:
      fields.length === 0
        ? []
        : Object.fromEntries(fields.map(([name, texts]) => [name, { message: texts.join(' ') }])),
    ...answer.extra_fields,
    ...(answer.status === 500 && { request_id }),
  }
}

const INVALID_PARAMETERS = 'Invalid request parameters.'

/** Return the bill code of a refusal without its own code. */
function codeForStatus(status: number): BillCode {
  return codesByStatus[status] ?? (status >= 500 ? 'UNK0001' : 'BX0003')
}

const codesByStatus: Record<number, BillCode> = {
  401: 'BX0015',
  403: 'BX0009',
  404: 'BX0018',
  405: 'BX0018',
  409: 'BX0023',
  429: 'EXC00131',
  503: 'EXC00144',
}
