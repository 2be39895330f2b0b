import type { App } from '../../app.ts'
import type { Server } from '../../http/server.ts'

/** The purchases of the bill counter (interface 4.5). */
export function addPurchases(_server: Server, _app: App): void {}
