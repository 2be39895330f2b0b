import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { nameOfNetwork } from '../../connections/registry.ts'
import { includesPermission } from '../../core/access/api-keys.ts'
import { isOnlyOrganization } from '../../core/access/organizations.ts'
import { readOverview } from '../../core/collections/overviews.ts'
import { readAttention } from '../../core/figures/attention.ts'
import { describeFloat, listFloatNotices } from '../../core/ledger/balances.ts'
import { readSmsUsage } from '../../core/sms/usage.ts'
import type { Server } from '../../http/server.ts'
import { describeSpace } from '../../lib/disk-space.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { addFigures } from './figures.ts'
import { addFirstSteps } from './first-steps.ts'
import { Home } from './views.ts'

/** Add the routes with all data of the home page: the present state, and the figures of a period. */
export function addHome(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/home',
    permission: 'view',
    answer: Home,
    source: 'statements',
    async read(db, { organization, user, permissions, now }) {
      const is_only = await isOnlyOrganization(db, organization)
      const times = { now, real: app.clock.real() }
      const overview = await app.reads.snapshot((tx) => readOverview(tx, times.now, { organization, is_only }))
      const low_wallets = overview.wallets.filter(({ low }) => low).length
      const attention = await app.reads.read((db) =>
        readAttention(db, { organization, user, permissions, is_only, ...times }, low_wallets),
      )
      const space = app.disk?.state()
      const disk = [space && describeSpace(space)].filter((text) => typeof text === 'string')
      const may_manage = permissions.has('manage_organization')
      return {
        ...overview,
        networks: overview.networks.map((one) => ({ ...one, name: nameOfNetwork(app.connections, one.code) })),
        attention,
        warnings: may_manage
          ? [
              ...(await readFloatWarnings(app, organization, is_only)),
              ...(await readSmsWarnings(app, organization)),
              ...disk,
            ]
          : [],
        // Only users who may list webhooks see their targets.
        webhooks: includesPermission(permissions, 'manage_integrations') ? overview.webhooks : [],
        // This money belongs to no organization yet, so only the operator sees it: a manager of the only organization
        // here.
        unassigned: permissions.has('manage_organization') ? overview.unassigned : [],
      }
    },
  })
  addFigures(server, app)
  addFirstSteps(server, app)
}

/** Read warnings about the floats of an organization's own connections and, if it is the only one here, of all. */
async function readFloatWarnings(app: App, organization: number, is_only: boolean): Promise<string[]> {
  const notices = await listFloatNotices(app.db)
  return notices.filter((float) => is_only || float.organization === organization).flatMap(describeFloat)
}

/** The part of the limit of a month from which a warning is shown. */
const NEARLY_ALL = 0.9

/** Warn that the SMS of this month are nearly used up. Beyond the limit, none is sent. */
async function readSmsWarnings(app: App, organization: number): Promise<string[]> {
  const [month] = await app.reads.read((db) => readSmsUsage(db, { organization, since: app.clock.now() }))
  if (!month || month.monthly_parts === null || month.parts < month.monthly_parts * NEARLY_ALL) return []
  return [getMessage('home.sms_used', { parts: month.parts, limit: month.monthly_parts })]
}
