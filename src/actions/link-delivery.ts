import { z } from 'zod'
import type { App } from '../../app.ts'
import type { InvitationLink } from '../../core/control/kinds.ts'
import { logEvent } from '../../lib/log-events.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { linkPath, linkUrl } from '../links.ts'

/** Delivery of a one-time link: by mail, or shown to the user who requested it. */
export const LinkDelivery = z.object({
  mailed: z.boolean(),
  path: z.string().nullable(),
  problem: z.string().nullable(),
})
export type LinkDelivery = z.output<typeof LinkDelivery>

/** Mail a link. Without a mail server, or when mailing fails, returns its path if `shown` allows it. */
export async function deliverLink(
  app: App,
  token: string,
  send: () => Promise<void>,
  options: { shown: boolean },
): Promise<LinkDelivery> {
  const path = options.shown ? linkPath(token) : null
  if (!app.mailer) return { mailed: false, path, problem: null }
  try {
    await send()
    return { mailed: true, path: null, problem: null }
  } catch (error) {
    logEvent(app.log, 'link_mail_failed', { error })
    return { mailed: false, path, problem: getMessage('users.mail_refused') }
  }
}

/** Deliver the link of an invitation. It is shown if it cannot be mailed. @param inviter the name of who invites */
export function deliverInvitation(app: App, inviter: string, { invitation, token }: InvitationLink) {
  return deliverLink(app, token, () => sendInvitation(app, invitation.email, inviter, token), { shown: true })
}

async function sendInvitation(app: App, to: string, inviter: string, token: string): Promise<void> {
  const { SERVICE_NAME } = app.config
  await app.mailer?.send({
    to,
    subject: `${inviter} invites you to ${SERVICE_NAME}`,
    text: [
      'Hello,',
      `${inviter} invites you to ${SERVICE_NAME}. Follow this link within seven days:`,
      linkUrl(app, token),
    ].join('\n\n'),
  })
}
