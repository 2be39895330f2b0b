import type { App } from '../../app.ts'
import { stateOfNetworks } from '../../connections/choose.ts'
import { FirstSteps, readFirstSteps } from '../../core/figures/first-steps.ts'
import type { Server } from '../../http/server.ts'
import { NetworksState } from './views.ts'

/** Add the routes with the first steps of a newcomer, and with the state of the networks, which forms show first. */
export function addFirstSteps(server: Server, app: App): void {
  server.get('/console/api/first-steps', {
    config: { permission: 'manage_organization' },
    schema: { response: { 200: FirstSteps } },
    handler: ({ caller }) => app.reads.snapshot((tx) => readFirstSteps(tx, caller.organization)),
  })

  server.get('/console/api/networks/state', {
    config: { permission: 'view' },
    schema: { response: { 200: NetworksState } },
    handler: async ({ caller }) => ({ state: stateOfNetworks(app.connections.list(), caller.organization) }),
  })
}
