import type { BillOperations } from '../../billers/contract.ts'
import type { NetworkOperations } from '../../networks/contract.ts'
import type { SmsOperations } from '../../senders/contract.ts'
import type { ConnectionTools } from './index.ts'
import { toStorableAnswer } from './storable-answers.ts'

/** The operations that call the provider and come to an end. */
const CALLING: ReadonlySet<PropertyKey> = new Set<keyof NetworkOperations | keyof SmsOperations | keyof BillOperations>(
  [
    'prepare',
    'charge',
    'registerExpectedPayment',
    'chargeStatus',
    'chargeMoney',
    'payout',
    'payoutStatus',
    'refund',
    'refundStatus',
    'limits',
    'accountHolder',
    'transaction',
    'balance',
    'setUp',
    'test',
    'send',
    'report',
    'vend',
    'vendStatus',
    'catalogue',
  ],
)

/** Operations that only read received data and call nothing. */
const READING: ReadonlySet<PropertyKey> = new Set<keyof NetworkOperations | keyof SmsOperations | keyof BillOperations>(
  ['readCallback', 'readValidation'],
)

/**
 * The operations of a driver. Each that calls its provider runs in `tools.run` with the reference of its order. What providers say
 * can be stored, whatever they say: a null character in a message, or an id of a megabyte, must not keep a payment from being recorded.
 */
export function runEach<Operations extends object>(
  operations: Operations,
  tools: Pick<ConnectionTools, 'run'>,
): Operations {
  return new Proxy(operations, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name)
      if (typeof operation !== 'function') return operation
      if (READING.has(name)) return (...given: unknown[]) => toStorableAnswer(operation.apply(target, given))
      if (!CALLING.has(name)) return operation
      return (...given: unknown[]) => {
        const { reference, collection_request } = subjectOf(given[0])
        return tools.run(
          reference,
          async () => toStorableAnswer(await operation.apply(target, given)),
          collection_request,
        )
      }
    },
  })
}

/** Return the order and the collection request of an operation, if its input names them. */
function subjectOf(about: unknown): { reference: string | null; collection_request: number | null } {
  const given = typeof about === 'object' && about !== null ? about : {}
  const { reference, collection_request } = given as { reference?: unknown; collection_request?: unknown }
  return {
    reference: typeof reference === 'string' ? reference : null,
    collection_request: typeof collection_request === 'number' ? collection_request : null,
  }
}
