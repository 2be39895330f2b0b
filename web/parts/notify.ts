import { notifications } from '@mantine/notifications'

/** Tells of a problem for which the page has no place of its own. */
export function notifyProblem(error: unknown): void {
  notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
}
