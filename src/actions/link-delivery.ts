import { z } from 'zod'
import type { App } from '../app.ts'
import type { User } from '../core/access/organizations.ts'
import type { InvitationLink } from '../core/approvals/changes/kinds.ts'
import { logEvent } from '../lib/log-events.ts'
import { getMessage } from '../lib/messages/message.ts'
import { cellOf } from '../lib/text/cells.ts'

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

/** Mail the link to choose a new password. @throws the error of the mail server */
export async function sendPasswordReset(app: App, user: User, token: string): Promise<void> {
  const { SERVICE_NAME } = app.config
  await app.mailer?.send({
    to: user.email,
    subject: `Choose a new password for ${SERVICE_NAME}`,
    text: [
      `Hello ${user.name},`,
      `follow this link within an hour to choose a new password for ${SERVICE_NAME}:`,
      linkUrl(app, token),
      'If you did not ask for it, do nothing: your password stays as it is.',
    ].join('\n\n'),
  })
}

/** The URL of a one-time link. Its host comes from the settings, never from a request, because it is sent by mail. */
export function linkUrl(app: App, token: string): string {
  return `${app.address.url.replace(/\/$/, '')}${linkPath(token)}`
}

/** The path of a one-time link, for pages of the console. No server sees its token, so the cell stands beside it. */
export function linkPath(token: string): string {
  const cell = cellOf(token)
  return `/console/link${cell === 0 ? '' : `?cell=${cell}`}#${token}`
}
