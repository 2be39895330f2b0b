import type { App } from '../../app.ts'
import type { RetentionRules } from '../../core/archive/overdue.ts'

/** What says now when the retention of rows ends. */
export function readRetentionRules({ clock, config }: Pick<App, 'clock' | 'config'>): RetentionRules {
  return { now: clock.now(), real: clock.real(), config }
}
