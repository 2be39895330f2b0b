/** The words of the codes with which VTpass refuses, as its documentation has them. */
export const words: Readonly<Record<string, string>> = {
  '010': 'VARIATION CODE DOES NOT EXIST',
  '011': 'INVALID ARGUMENTS',
  '012': 'PRODUCT DOES NOT EXIST',
  '013': 'BELOW MINIMUM AMOUNT ALLOWED',
  '014': 'REQUEST ID ALREADY EXIST',
  '015': 'INVALID REQUEST ID',
  '016': 'TRANSACTION FAILED',
  '017': 'ABOVE MAXIMUM AMOUNT ALLOWED',
  '018': 'LOW WALLET BALANCE',
  '019': 'LIKELY DUPLICATE TRANSACTION',
  '020': 'BILLER CONFIRMED',
  '021': 'ACCOUNT LOCKED',
  '022': 'ACCOUNT SUSPENDED',
  '023': 'API ACCESS NOT ENABLE FOR USER',
  '024': 'ACCOUNT INACTIVE',
  '025': 'RECIPIENT BANK INVALID',
  '026': 'RECIPIENT ACCOUNT COULD NOT BE VERIFIED',
  '027': 'IP NOT WHITELISTED, CONTACT SUPPORT',
  '028': 'PRODUCT IS NOT WHITELISTED ON YOUR ACCOUNT',
  '030': 'BILLER NOT REACHABLE AT THIS POINT',
  '031': 'BELOW MINIMUM QUANTITY ALLOWED',
  '032': 'ABOVE MAXIMUM QUANTITY ALLOWED',
  '034': 'SERVICE SUSPENDED',
  '035': 'SERVICE INACTIVE',
  '040': 'TRANSACTION REVERSAL',
  '044': 'TRANSACTION RESOLVED',
  '083': 'SYSTEM ERROR',
  '085': 'IMPROPER REQUEST ID',
  '087': 'INVALID CREDENTIALS',
  '089': 'REQUEST IS PROCESSING',
  '091': 'TRANSACTION NOT PROCESSED',
  '099': 'TRANSACTION IS PROCESSING',
}

/** Effect of a number at the simulated VTpass. */
export interface Effect {
  /** Code of the answer; derived from the result unless given. */
  code?: string
  /** End of the purchase. `refused`: it never starts. */
  ends: 'delivered' | 'failed' | 'reversed' | 'resolved' | 'refused'
  /** True if the purchase is pending before it ends. */
  pending?: boolean
  /** Answer to the purchase call. */
  answer?: 'unexpected' | 'empty' | 'never'
}

/** The numbers of the sandbox of VTpass. */
const documented: Readonly<Record<string, Effect>> = {
  '201000000000': { ends: 'delivered', pending: true },
  '500000000000': { ends: 'delivered', answer: 'unexpected' },
  '400000000000': { ends: 'delivered', answer: 'empty' },
  '300000000000': { ends: 'delivered', answer: 'never' },
}

/** Codes of transactions that were taken. With all others nothing is. */
const taken: Readonly<Record<string, Effect>> = {
  '016': { ends: 'failed' },
  '040': { ends: 'reversed' },
  '044': { ends: 'resolved' },
  '089': { ends: 'delivered', pending: true, code: '089' },
  '091': { ends: 'failed', code: '091' },
  '099': { ends: 'delivered', pending: true },
}

/** The effect of a phone or account number; undefined for ordinary ones. */
export function effectOf(number: string): Effect | undefined {
  const code = /^08000000(0\d\d)$/.exec(number)?.[1]
  if (code !== undefined && code in words) return taken[code] ?? { ends: 'refused', code }
  return documented[number]
}
