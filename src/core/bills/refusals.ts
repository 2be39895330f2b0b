import { getMessage } from '../../lib/messages/message.ts'
import { type FieldErrors, Refusal } from '../refusals.ts'

/**
 * The error codes of the bills API with their messages. Clients of the original interface know them from its error
 * catalogue. Codes for situations that cannot happen here are left out.
 */
export const billCodes = {
  BX0002: 'Transaction not found.',
  BX0003: 'Invalid request parameters.',
  BX0004: 'The user account in the authorization header is invalid.',
  BX0005: 'The request date is missing or too old. Use the current date in GMT.',
  BX0006: 'The signature does not match the request.',
  BX0007: 'Unidentified user account.',
  BX0009: getMessage('access.no_permission'),
  BX0011: 'Invalid scheme in the authorization header.',
  BX0012: 'This authentication mechanism is not implemented.',
  BX0013: 'Authentication credentials were not provided.',
  BX0014: 'Token expired.',
  BX0015: 'Invalid token.',
  BX0016: 'Token revoked.',
  BX0018: 'Request route not found.',
  BX0020: 'An error occurred while the transaction was processed.',
  BX0021: 'The status of the transaction is unknown. Requery before trying again.',
  BX0023: 'Duplicate agent transaction reference.',
  BX0024: 'No response from the provider.',
  BX0025: 'Error encountered during name finder validation.',
  BX0026: 'The biller service does not exist.',
  EXC00102: 'Insufficient funds.',
  EXC00103: 'The service is not active.',
  EXC00105: 'The balance could not be obtained.',
  EXC00107: 'The provider rejected the transaction.',
  EXC00109: 'The service is blocked.',
  EXC00127: 'The amount is too high.',
  EXC00131: 'Not allowed now.',
  EXC00144: 'The platform is not available for new requests.',
  UNK0001: getMessage('service.unexpected'),
} as const
export type BillCode = keyof typeof billCodes

/** A refusal of the bills API with the code that clients read. `fields` contains the invalid fields and their messages. */
export class BillRefusal extends Refusal {
  readonly code: BillCode
  readonly fields: FieldErrors | undefined
  constructor(code: BillCode, message: string = billCodes[code], fields?: FieldErrors) {
    super(message)
    this.code = code
    this.fields = fields
  }
}

/** Refuses one field of a request (BX0003). */
export function invalidField(field: string, message: string): BillRefusal {
  return new BillRefusal('BX0003', billCodes.BX0003, { [field]: [message] })
}

/**
 * Runs all checks of a request and refuses all invalid fields together, as BX0003. A refusal with another code (such as
 * an amount above the maximum of a service) is thrown only if all fields are valid.
 */
export async function runChecks<Values extends unknown[]>(
  ...checks: { [Key in keyof Values]: () => Values[Key] | Promise<Values[Key]> }
): Promise<Values> {
  const outcomes = await Promise.allSettled(checks.map(async (check) => check()))
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  const refusals = errors.filter((error) => error instanceof BillRefusal)
  // An internal error must not look like a refusal of the request.
  if (refusals.length < errors.length) throw errors.find((error) => !(error instanceof BillRefusal))
  const fields: FieldErrors = Object.assign({}, ...refusals.map((refusal) => refusal.fields))
  if (Object.keys(fields).length > 0) throw new BillRefusal('BX0003', billCodes.BX0003, fields)
  if (refusals[0]) throw refusals[0]
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Values
}
