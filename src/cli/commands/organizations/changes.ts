import type { Command } from 'commander'
import { deliverInvitation, linkUrl } from '../../../actions/link-delivery.ts'
import { changeList } from '../../../actions/lists/access.ts'
import type { App } from '../../../app.ts'
import type { DecidedChange } from '../../../core/approvals/changes/changes.ts'
import { confirmChangeAction, rejectChangeAction } from '../../../core/approvals/changes/decisions.ts'
import { addActionCommand } from '../../action-command.ts'
import type { Told } from '../../command.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for changes that wait for a second manager. An operator may decide in the place of one. */
export function addOrganizationsChanges(organizations: Command, terminal: Terminal): void {
  const changes = organizations
    .command('changes')
    .description('changes of who may move money and how much: list, confirm, reject')
    .addHelpText('after', EXAMPLES)

  addListCommand(changes, terminal, changeList)

  addActionCommand(changes, terminal, confirmChangeAction, { tell })
  addActionCommand(changes, terminal, rejectChangeAction, { tell })
}

async function tell(app: App, { change, link }: DecidedChange): Promise<Told> {
  const sent = link && (await deliverInvitation(app, change.author_name ?? 'An operator', link))
  const url = sent?.path ? linkUrl(app, link!.token) : null
  const lines = [
    `The change ${change.id} is ${change.state}: ${change.description}`,
    ...(sent?.mailed ? [`A link is on its way to ${link!.invitation.email}.`] : []),
    ...(url ? [`Give this link to ${link!.invitation.email}; it is shown only now: ${url}`] : []),
  ]
  return { text: lines, shown: { ...change, ...(link && { link: url }) } }
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations changes list --state pending
  $ npx kusanya organizations changes confirm 12

A manager confirms changes in the console. Confirm one here only when no second manager can. Where several organizations
share the installation, what concerns a connection in use waits for you.`
