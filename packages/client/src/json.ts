/** The fields in which bill payments name amounts of money. The service sends some of them as JSON numbers. */
export const BILL_MONEY_FIELDS: ReadonlySet<string> = new Set([
  'amount',
  'balance',
  'minimumAmount',
  'outstandingBalance',
  'pinValue',
  'price',
  'tokenAmount',
  'total_amount',
])

/** The field in which an account names an amount of money as a JSON number. */
export const ACCOUNT_MONEY_FIELDS: ReadonlySet<string> = new Set(['balance'])

/** All fields that are amounts of money, in requests and in answers: strings for users of the client. */
export const MONEY_FIELDS: ReadonlySet<string> = new Set([...BILL_MONEY_FIELDS, ...ACCOUNT_MONEY_FIELDS])

/** A JSON string, and the number behind it if it is a name and its value is a number. */
const STRING_AND_NUMBER = /"([^"\\]*(?:\\(?:.|$)[^"\\]*)*)(?:"|$)(?:(\s*:\s*)(-?\d[\d.eE+-]*))?/gs

/**
 * Parse JSON, with the numbers of the given fields as strings of the same digits: a parsed number would be a float, and
 * a float loses digits of money. Other fields are left alone. @throws SyntaxError
 */
export function parseJson(text: string, money_fields?: ReadonlySet<string>): unknown {
  if (!money_fields) return JSON.parse(text)
  return JSON.parse(
    text.replace(STRING_AND_NUMBER, (whole, name: string, colon: string | undefined, digits: string | undefined) =>
      digits !== undefined && money_fields.has(name) ? `"${name}"${colon}"${digits}"` : whole,
    ),
  )
}
