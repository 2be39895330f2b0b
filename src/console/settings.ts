import { addView } from '../actions/lists/views.ts'
import type { App } from '../app.ts'
import { countryCodes } from '../core/access/places.ts'
import type { Server } from '../http/server.ts'
import { timeZones } from '../lib/text/time-zones.ts'
import { PlaceChoices, readSettings, Settings } from './settings-view.ts'

const permission = 'manage_organization'

/** The routes for the settings of an organization. */
export function addSettings(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/settings',
    permission,
    answer: Settings,
    source: 'primary',
    read: (tx, { organization, user }) => readSettings(tx, organization, user),
  })
  addView(server, app, {
    url: '/console/api/settings/place',
    permission,
    answer: PlaceChoices,
    source: 'statements',
    read: () => ({ time_zones: [...timeZones()], countries: countryCodes() }),
  })
}
