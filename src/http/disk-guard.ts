import { Unavailable } from '../core/refusals.ts'
import type { DiskWatch } from '../lib/disk-space.ts'
import { DISK_FULL, DISK_RETRY_S } from './errors.ts'
import { isReadMethod } from './methods.ts'
import type { Server } from './server.ts'

/**
 * Refuse writes while the disk of the database is full, before PostgreSQL fails for want of room and reads fail with
 * it. The callbacks of networks pass, because some networks report money only once.
 */
export function addDiskGuard(server: Server, disk: DiskWatch | null): void {
  if (!disk) return
  server.addHook('onRequest', async (request) => {
    if (disk.state()?.level !== 'full' || isReadMethod(request.method)) return
    if (!request.routeOptions.config?.open_in_maintenance) throw new Unavailable(DISK_FULL, DISK_RETRY_S)
  })
}
