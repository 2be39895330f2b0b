import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import { t } from '../texts/index.ts'

/** Message after success: a text, or a text with the page of the object that was made. */
export type Done = string | { message: string; link: string }

const AUTO_CLOSE_MS = 4_000
/** A message with a link stays longer, so that people reach the link. */
const AUTO_CLOSE_WITH_LINK_MS = 12_000

/** Show a message after success. @param color yellow if the change still waits for somebody */
export function notifyDone(done: Done, color: 'green' | 'yellow' = 'green'): void {
  if (typeof done === 'string') return void notifications.show({ color, message: done, autoClose: AUTO_CLOSE_MS })
  const { message, link } = done
  const id = crypto.randomUUID()
  notifications.show({
    id,
    color,
    autoClose: AUTO_CLOSE_WITH_LINK_MS,
    message: (
      <>
        {message}{' '}
        <Anchor component={Link} to={link} inherit fw={600} onClick={() => notifications.hide(id)}>
          {t('parts.open_made')}
        </Anchor>
      </>
    ),
  })
}

/** Show a problem as a notification, when the page has no place for it. */
export function notifyProblem(error: unknown): void {
  notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
}
