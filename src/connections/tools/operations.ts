import type { BillOperations } from '../../billers/contract.ts'
import type { NetworkOperations } from '../../networks/contract.ts'
import type { SmsOperations } from '../../senders/contract.ts'
import type { ConnectionTools } from './index.ts'

/** The operations that call the provider and come to an end. */
const CALLING: ReadonlySet<PropertyKey> = new Set<keyof NetworkOperations | keyof SmsOperations | keyof BillOperations>(
  [
    ...(['prepare', 'charge', 'registerExpectedPayment', 'chargeStatus'] as const),
    ...(['payout', 'payoutStatus', 'refund', 'refundStatus'] as const),
    ...(['limits', 'accountHolder', 'transaction', 'balance', 'setUp', 'test'] as const),
    ...(['send', 'report', 'vend', 'vendStatus', 'catalogue'] as const),
  ],
)

/** The operations of a driver, each of which runs in `tools.run` with the reference of its order. */
export function runEach<Operations extends object>(
  operations: Operations,
  tools: Pick<ConnectionTools, 'run'>,
): Operations {
  return new Proxy(operations, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name)
      if (typeof operation !== 'function' || !CALLING.has(name)) return operation
      return (about?: unknown) => tools.run(referenceOf(about), async () => operation.call(target, about))
    },
  })
}

function referenceOf(about: unknown): string | null {
  const { reference } = (typeof about === 'object' && about !== null ? about : {}) as { reference?: unknown }
  return typeof reference === 'string' ? reference : null
}
