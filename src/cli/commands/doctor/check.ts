import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import type { CheckName } from './texts.ts'

/**
 * Finding of a check. `error` needs a person. `warning` should be repaired, but nothing is broken. `note` names a fact
 * that cannot be seen from here.
 */
export interface Finding {
  level: 'error' | 'warning' | 'note'
  finding: string
  /** Advice with the command; missing if the finding contains it. */
  what_to_do?: string
}

/** Check of `doctor`. */
export interface Check {
  /** The name for `--only`. */
  name: CheckName
  /** Printed title. */
  title: string
  /** After so many seconds the check counts as not made. */
  limit_s: number
  run(app: App): Promise<Finding[]>
}

/** Result of a check: its findings, or the reason why it could not be made. */
export type CheckResult = { findings: Finding[] } | { not_made: string }

export const error = (finding: string, what_to_do?: string): Finding => ({
  level: 'error',
  finding,
  ...(what_to_do !== undefined && { what_to_do }),
})
export const warning = (finding: string, what_to_do?: string): Finding => ({
  ...error(finding, what_to_do),
  level: 'warning',
})
export const note = (finding: string): Finding => ({ level: 'note', finding })

/** Make one check within its time limit. It never rejects: a check that fails or takes too long was not made. */
export async function makeCheck(check: Pick<Check, 'limit_s' | 'run'>, app: App): Promise<CheckResult> {
  const timer = new AbortController()
  const late = sleep(check.limit_s * 1_000, null, { signal: timer.signal }).then(
    (): CheckResult => ({ not_made: `It takes longer than ${check.limit_s} seconds.` }),
    (): CheckResult => ({ not_made: 'It was stopped.' }),
  )
  const made = check.run(app).then(
    (findings): CheckResult => ({ findings }),
    (reason: unknown): CheckResult => ({ not_made: reason instanceof Error ? reason.message : String(reason) }),
  )
  return Promise.race([made, late]).finally(() => timer.abort())
}
