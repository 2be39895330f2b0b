import type { Command } from 'commander'
import { runAction } from '../../../actions/run.ts'
import { setPlaceAction } from '../../../core/access/actions.ts'
import { readPlaceOf } from '../../../core/access/places.ts'
import { addCommand } from '../../command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** The command that shows and sets the time zone and the country of an organization. */
export function addOrganizationsPlace(organizations: Command, terminal: Terminal): void {
  addCommand(organizations, terminal, {
    name: 'place',
    description:
      'show or set the time zone, in which days begin, and the country of phone numbers without country code',
    typed: {
      time_zone: typed('--time-zone <name>', 'such as Africa/Kampala, or UTC'),
      country: typed('--country <code>', 'two letters such as UG, or none'),
    },
    organization: 'one',
    help: '\nExample:\n  $ npx kusanya organizations place --time-zone Africa/Nairobi --country KE',
    async run(app, { time_zone: zone, country: code }, { owner: { id, name }, actor }) {
      const country_code = code?.toLowerCase() === 'none' ? null : code
      const changes = { time_zone: zone, ...(code !== undefined && { country: country_code }) }
      if (zone !== undefined || code !== undefined) await runAction(app, actor, setPlaceAction, changes)
      const { time_zone, country } = await readPlaceOf(app.db, id)
      const numbers = country === null ? 'phone numbers need the country code' : `phone numbers are of ${country}`
      const text = `Days of ${name} begin at midnight in ${time_zone}, and ${numbers}.`
      return { shown: { organization: id, time_zone, country }, text }
    },
  })
}
