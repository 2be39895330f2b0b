import { notifications } from '@mantine/notifications'

/** Show a problem as a notification, when the page has no place for it. */
export function notifyProblem(error: unknown): void {
  notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
}
