import type { Json, Operation, Schemas } from './types.ts'

/**
 * The error responses of an operation, which follow from its parameters and body. `default` stands for those that every operation has.
 */
export function errorsOf(operation: Operation): [status: string, name: string][] {
  const hasParameterIn = (part: string) => operation.parameters?.some((one) => one.in === part) ?? false
  const errors: [string, string, boolean][] = [
    // A query that no operation reads is checked, too.
    ['400', 'Invalid', true],
    ['404', 'NotFound', hasParameterIn('path')],
    ['409', 'Duplicate', checksDuplicates(operation)],
    ['default', 'Refused', true],
  ]
  return errors.flatMap(([status, name, possible]) => (possible ? [[status, name]] : []))
}

function checksDuplicates({ parameters }: Operation): boolean {
  return parameters?.some(({ name }) => name.toLowerCase() === 'duplicate-check-key') ?? false
}

/** All errors of the bill-payment API have one form, so they share one response. */
export const billErrors: [status: string, name: string][] = [['default', 'BillRefused']]

const BillError = {
  type: 'object',
  required: ['status', 'message', 'code', 'errors'],
  properties: {
    status: { type: 'string', const: 'error', description: 'Always `error`.', examples: ['error'] },
    message: { type: 'string', description: 'What is wrong, in words.', examples: ['Invalid request parameters.'] },
    code: { type: 'string', description: 'Error code for programs.', examples: ['BX0003'] },
    type: {
      type: 'string',
      description: 'With 409: type of the object that the first request created.',
      examples: ['billpayment'],
    },
    id: { type: 'integer', description: 'With 409: its id, the `transactionReference`.', examples: [10700149] },
    errors: {
      description: 'The invalid fields, each with a message; an empty list when no field is invalid.',
      examples: [{ service_type: { message: 'This field is required.' } }, []],
      anyOf: [
        { type: 'array', maxItems: 0 },
        {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['message'],
            properties: { message: { type: 'string' } },
          },
        },
      ],
    },
  },
}

const Detail = {
  type: 'object',
  required: ['detail'],
  properties: { detail: { type: 'string', description: 'What is wrong, in words.', examples: ['Not found.'] } },
}

const FieldErrors = {
  type: 'object',
  description: 'Every invalid field with its messages. Messages about no single field are in `non_field_errors`.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
}

const DuplicateRefusal = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: { type: 'string', description: 'What is wrong, in words.', examples: ['Duplicate Request Detected!'] },
    type: {
      type: 'string',
      description: 'Type of the object that the first request created.',
      examples: ['collectionrequest'],
    },
    id: { type: 'integer', description: 'Id of that object.', examples: [123] },
  },
}

/** The schemas of the bodies of errors. */
export const errorSchemas: Schemas = { Detail, FieldErrors, DuplicateRefusal, BillError }

/** The error responses of the interface (section 7), described once for all operations. */
export const errorResponses: Record<string, Json> = {
  Invalid: {
    description:
      'The request is invalid. The response names all invalid fields. It has `detail` when the body cannot be parsed.',
    content: {
      'application/json': {
        schema: { anyOf: [{ $ref: '#/components/schemas/FieldErrors' }, { $ref: '#/components/schemas/Detail' }] },
        examples: {
          fields: { value: { phonenumber: ['This field is required.'], amount: ['A valid number is required.'] } },
          unreadable: { value: { detail: 'JSON parse error - Unexpected end of JSON input' } },
        },
      },
    },
  },
  NotFound: detailResponse('The object does not exist.', 'Not found.'),
  Duplicate: {
    description: 'A request with this Duplicate-Check-Key was accepted in the last 24 hours.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/DuplicateRefusal' },
        example: {
          detail: 'Duplicate Request Detected! A request with this key was accepted in the last 24 hours.',
          type: 'collectionrequest',
          id: 123,
        },
      },
    },
  },
  BillRefused: {
    description:
      'The call was refused or failed, with a status from 400 to 503 and the reason in `code` (see docs/bills.md). 409: the `Duplicate-Check-Key` was used before.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/BillError' },
        example: {
          status: 'error',
          message: 'Invalid request parameters.',
          code: 'BX0003',
          errors: { service_type: { message: 'This field is required.' } },
        },
      },
    },
  },
  Refused: {
    description: [
      'Every operation may be refused with one of these:',
      '401: the API key is missing, wrong, revoked or expired.',
      '403: the key lacks the permission, or the object belongs to another organization.',
      '415: the body is neither JSON nor a form.',
      '429: too many requests. `Retry-After` gives the seconds to wait.',
      '503: the service is in maintenance or temporarily cannot answer. `Retry-After` as for 429.',
    ].join('\n\n- '),
    headers: {
      'Retry-After': {
        description: 'With 429 and 503: seconds to wait before the next try.',
        schema: { type: 'integer', examples: [7] },
      },
      'WWW-Authenticate': { description: 'With 401.', schema: { type: 'string', const: 'Token' } },
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Detail' },
        examples: {
          401: { value: { detail: 'Invalid token.' } },
          403: { value: { detail: 'You do not have permission to perform this action.' } },
          415: { value: { detail: 'Unsupported media type "text/plain" in request.' } },
          429: { value: { detail: 'Request was throttled. Expected available in 7 seconds.' } },
          503: { value: { detail: 'The service is temporarily unavailable.' } },
        },
      },
    },
  },
}

function detailResponse(description: string, detail: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Detail' }, example: { detail } } },
  }
}
