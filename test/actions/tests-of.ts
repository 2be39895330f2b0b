import { it } from 'vitest'

/** Return a function that declares a test of a subject where it applies. One that does not apply is no skipped test. */
export function testsOf(subject = '') {
  return (applies: unknown) => (name: string, run: () => Promise<void> | void) => {
    if (applies) it(`${subject} ${name}`.trim(), run)
  }
}
