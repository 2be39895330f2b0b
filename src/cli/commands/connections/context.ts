import type { App } from '../../../app.ts'
import type { TestResult } from '../../../core/connections/connections.ts'
import type { AnyDriver } from '../../../drivers/contract.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'

export { connectionContext, isGood, readView, tryConnection } from '../../../connections/operate.ts'

/** The driver with this code. @throws CommandError */
export function chooseDriver(app: App, code: string): AnyDriver {
  const driver = app.providers.drivers.find((one) => one.code === code)
  if (driver) return driver
  const codes = app.providers.drivers.map((one) => one.code).join(', ')
  throw new CommandError(
    `There is no driver ${code}. There are: ${codes}. \`npx kusanya connections drivers\` says more.`,
  )
}

/** Describe the results of a test in lines. */
export function describeTest(terminal: Terminal, results: readonly TestResult[]): string[] {
  const marks = { ok: terminal.good('✓'), failed: terminal.bad('✗'), unknown: terminal.bad('?'), skipped: '-' }
  return results.map(({ name, outcome, message }) => `${marks[outcome]} ${name}: ${message}`)
}
