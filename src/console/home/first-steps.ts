import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { stateOfNetworks } from '../../connections/choose.ts'
import { FirstSteps, readFirstSteps } from '../../core/figures/first-steps.ts'
import type { Server } from '../../http/server.ts'
import { NetworksState } from './views.ts'

/** Add the routes with the first steps of a newcomer, and with the state of the networks, which forms show first. */
export function addFirstSteps(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/first-steps',
    permission: 'manage_organization',
    answer: FirstSteps,
    read: (db, { organization }) => readFirstSteps(db, organization),
  })
  addView(server, app, {
    url: '/console/api/networks/state',
    permission: 'view',
    answer: NetworksState,
    source: 'statements',
    read: (_, { organization }) => ({ state: stateOfNetworks(app.connections.list(), organization) }),
  })
}
