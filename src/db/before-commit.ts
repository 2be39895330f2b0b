import type { Tx } from './transaction.ts'

const steps = new WeakMap<Tx, Set<() => Promise<void>>>()

/** Runs a step when the work of a transaction is done, before it commits. The locks that it takes are the last ones. */
export function beforeCommit(tx: Tx, step: () => Promise<void>): void {
  const known = steps.get(tx) ?? new Set()
  steps.set(tx, known.add(step))
}

/** Wraps the work of a transaction, so that its last steps follow. */
export function withLastSteps<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return async (tx) => {
    const result = await work(tx)
    for (const step of steps.get(tx) ?? []) await step()
    return result
  }
}
