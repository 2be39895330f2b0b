import type { App } from '../../app.ts'
import type { RetentionRules } from '../../core/archive/overdue.ts'

/** Return the rules that decide now when the retention of rows ends. */
export function readRetentionRules({ clock, config }: Pick<App, 'clock' | 'config'>): RetentionRules {
  return { now: clock.now(), real: clock.real(), config }
}
