import type { App } from '../../app.ts'
import { upstreamOfSettings } from '../../billers/index.ts'
import {
  SETTINGS_PRIORITY,
  type SettingsConnection,
  storeSettingsConnections,
} from '../../core/connections/settings-connections.ts'
import { begin } from '../../db/client.ts'

/** Make connections of the settings that describe one: UPSTREAM_URL and UPSTREAM_KEY are the connection `upstream`. */
export async function connectSettings(app: App): Promise<void> {
  const upstream = upstreamOfSettings(app.config)
  const described: SettingsConnection[] = upstream
    ? [
        {
          slug: 'upstream',
          kind: 'bills',
          driver: 'upstream',
          environment: 'production',
          ...upstream,
          priority: SETTINGS_PRIORITY,
        },
      ]
    : []
  const taken = await begin(app.db, (tx) => storeSettingsConnections(tx, app.clock.now(), app.sealingKeys, described))
  app.notices.push(
    ...taken.map(
      (slug) => `UPSTREAM_URL does not count: there is a connection ${slug} that was added. Remove one of them.`,
    ),
  )
  await app.providers.refresh()
}
