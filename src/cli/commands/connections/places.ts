import type { Command } from 'commander'
import { addPlaceAction, changePlaceAction, removePlaceAction } from '../../../core/connections/actions.ts'
import { getConnection } from '../../../core/connections/connections.ts'
import { listPlaces } from '../../../core/connections/places.ts'
import { addActionCommand } from '../../action-command.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** The commands that say which accounts use a connection, and under which number of ours. */
export function addPlaces(connections: Command, terminal: Terminal): void {
  const places = connections
    .command('places')
    .description('which accounts use a connection, and under which till or short code')

  addList(places, terminal, {
    description: 'list the places of one connection or of all',
    typed: { slug: typed('[slug]', '') },
    async read(app, { slug }) {
      if (slug !== undefined) await getConnection(app.db, slug)
      return listPlaces(app.db, slug)
    },
    none: 'There are no places yet. Add one with `npx kusanya connections places add`.',
    columns: {
      connection: 'connection',
      account: 'account',
      organization: 'organization',
      number: 'number',
      currency: 'currency',
      country: 'country',
      collects: (row) => yesNo(row.collects),
      'pays out': (row) => yesNo(row.pays_out),
      unrequested: (row) => yesNo(row.unrequested),
    },
  })

  addActionCommand(places, terminal, addPlaceAction, { help: NOTES })
  addActionCommand(places, terminal, changePlaceAction, {
    read(_, { slug, account, ...change }) {
      if (Object.values(change).every((value) => value === undefined))
        throw new CommandError('Nothing to change was given; --help lists what can be.')
      return { slug, account, ...change }
    },
  })
  addActionCommand(places, terminal, removePlaceAction)
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

const NOTES = `
Money to this number that no order asked for is credited to the account, unless --unrequested no. One account gets it for
each number and currency.

Example:
  $ npx kusanya connections places add mtn-uganda 5 256772000000 --country UG`
