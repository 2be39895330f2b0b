import type { App } from '../app.ts'
import { countryCodes } from '../core/access/places.ts'
import { withSnapshot } from '../db/snapshot.ts'
import type { Server } from '../http/server.ts'
import { timeZones } from '../lib/text/time-zones.ts'
import { PlaceChoices, readSettings, Settings } from './settings-view.ts'

const permission = 'manage_organization'

/** The routes for the settings of an organization. */
export function addSettings(server: Server, app: App): void {
  server.get('/console/api/settings', {
    config: { permission },
    schema: { response: { 200: Settings } },
    handler: (request) =>
      withSnapshot(app.db, (tx) => readSettings(tx, request.caller.organization, request.caller.user)),
  })
  addPlace(server, app)
}

function addPlace(server: Server, _app: App): void {
  const url = '/console/api/settings/place'
  server.get(url, {
    config: { permission },
    schema: { response: { 200: PlaceChoices } },
    handler: async () => ({ time_zones: [...timeZones()], countries: countryCodes() }),
  })
}
