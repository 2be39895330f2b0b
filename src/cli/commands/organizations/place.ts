import type { Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import { setPlaceAction } from '../../../core/access/actions.ts'
import { readPlaceOf } from '../../../core/access/places.ts'
import { chooseOrganization, jsonOption, organizationOption } from '../../arguments.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface PlaceOptions {
  timeZone?: string
  country?: string
  organization?: number
  json?: boolean
}

/** The command that shows and sets the time zone and the country of an organization. */
export function addOrganizationsPlace(organizations: Command, terminal: Terminal): void {
  organizations
    .command('place')
    .description(
      'show or set the time zone, in which days begin, and the country of phone numbers without country code',
    )
    .option('--time-zone <name>', 'such as Africa/Kampala, or UTC')
    .option('--country <code>', 'two letters such as UG, or none')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya organizations place --time-zone Africa/Nairobi --country KE')
    .action((options: PlaceOptions) =>
      withApp(terminal, async (app) => {
        const { id, name } = await chooseOrganization(app.db, options.organization)
        const changes = readChanges(options)
        if (Object.keys(changes).length > 0) await runAction(app, operator(id), setPlaceAction, changes)
        const { time_zone, country } = await readPlaceOf(app.db, id)
        const numbers = country === null ? 'phone numbers need the country code' : `phone numbers are of ${country}`
        const text = `Days of ${name} begin at midnight in ${time_zone}, and ${numbers}.`
        printResult(terminal, { organization: id, time_zone, country }, { ...options, text })
      }),
    )
}

function readChanges({ timeZone: time_zone, country }: PlaceOptions) {
  const code = country?.toLowerCase() === 'none' ? null : country
  return { ...(time_zone !== undefined && { time_zone }), ...(code !== undefined && { country: code }) }
}
