import { type Command, Option } from 'commander'
import { deliverInvitation, linkUrl } from '../../../actions/link-delivery.ts'
import { operator, runAction } from '../../../actions/run.ts'
import { confirmChangeAction, rejectChangeAction } from '../../../core/control/actions.ts'
import { listChanges } from '../../../core/control/changes.ts'
import { type ChangeState, type ControlChange, changeStates } from '../../../core/control/control-change.ts'
import { jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { addList, type LimitOption, ofEach } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for changes that wait for a second manager. An operator may decide in the place of one. */
export function addOrganizationsChanges(organizations: Command, terminal: Terminal): void {
  const changes = organizations
    .command('changes')
    .description('changes of who may move money and how much: list, confirm, reject')
    .addHelpText('after', EXAMPLES)

  addList<ControlChange, LimitOption & { organization?: number; state?: ChangeState }>(changes, terminal, {
    description: 'list the newest changes; those that are pending wait for a second manager',
    filters: [organizationOption(), new Option('--state <state>', 'those in one state').choices(changeStates)],
    limit: 'how many of each organization',
    read: ofEach((app, organization, { state, limit }) =>
      listChanges(app.db, app.clock.now(), organization, { state }, { limit, offset: 0 }),
    ),
    none: 'There are no changes.',
    columns: {
      id: 'id',
      organization: 'organization',
      'created (UTC)': 'created',
      state: 'state',
      'asked by': (row) => row.author_name ?? 'an operator',
      change: 'description',
      'expires (UTC)': (row) => (row.state === 'pending' ? row.expires : null),
    },
  })

  addDecision(changes, terminal, confirmChangeAction, 'make a change that waits for a second manager')
  addDecision(changes, terminal, rejectChangeAction, 'reject a change that waits for a second manager')
}

function addDecision(
  changes: Command,
  terminal: Terminal,
  action: typeof confirmChangeAction,
  description: string,
): void {
  changes
    .command(action.name.split(' ')[0]!)
    .description(description)
    .argument('<id>', 'as `organizations changes list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const { change, link } = await runAction(app, operator(null), action, { id })
        const sent = link && (await deliverInvitation(app, change.author_name ?? 'An operator', link))
        const url = sent?.path ? linkUrl(app, link!.token) : null
        const text = [
          `The change ${id} is ${change.state}: ${change.description}`,
          ...(sent?.mailed ? [`A link is on its way to ${link!.invitation.email}.`] : []),
          ...(url ? [`Give this link to ${link!.invitation.email}; it is shown only now: ${url}`] : []),
        ].join('\n')
        printResult(terminal, { ...change, ...(link && { link: url }) }, { ...options, text })
      }),
    )
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations changes list --state pending
  $ npx kusanya organizations changes confirm 12

A manager confirms changes in the console. Confirm one here only when no second manager can. Where several organizations
share the installation, what concerns a connection in use waits for you.`
