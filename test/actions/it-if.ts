import { it } from 'vitest'

/** Declare a test where it applies. One that does not apply is no skipped test. */
export function itIf(applies: unknown): (name: string, run: () => Promise<void> | void) => void {
  return (name, run) => {
    if (applies) it(name, run)
  }
}
