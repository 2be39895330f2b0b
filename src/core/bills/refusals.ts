import { type FieldErrors, Refusal } from '../refusals.ts'

/**
 * The codes that the bill counter gives its refusals, with their words. They are those of the error catalogue that
 * clients of the original interface know; codes of situations that cannot arise here are left out.
 */
export const billCodes = {
  BX0002: 'Transaction not found.',
  BX0003: 'Invalid request parameters.',
  BX0004: 'The user account in the authorization header is invalid.',
  BX0005: 'The request date is missing or too old. Use the current date in GMT.',
  BX0006: 'The signature does not match the request.',
  BX0007: 'Unidentified user account.',
  BX0009: 'You do not have permission to perform this action.',
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
  UNK0001: 'An unexpected error has occurred.',
} as const
export type BillCode = keyof typeof billCodes

/** The bill counter refuses, with the code that its clients look at. `fields` names the faulty ones, as the wire does. */
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
 * Makes every check of a request, and refuses all of its faulty fields at once, as BX0003. What a check refuses for another
 * reason (a service's maximum, say) counts only when the fields are good.
 */
export async function runChecks<Values extends unknown[]>(
  ...checks: { [Key in keyof Values]: () => Values[Key] | Promise<Values[Key]> }
): Promise<Values> {
  const outcomes = await Promise.allSettled(checks.map(async (check) => check()))
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  const refusals = errors.filter((error) => error instanceof BillRefusal)
  // A fault of ours says nothing about the request.
  if (refusals.length < errors.length) throw errors.find((error) => !(error instanceof BillRefusal))
  const fields: FieldErrors = Object.assign({}, ...refusals.map((refusal) => refusal.fields))
  if (Object.keys(fields).length > 0) throw new BillRefusal('BX0003', billCodes.BX0003, fields)
  if (refusals[0]) throw refusals[0]
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Values
}
