import type { OrderName } from '../../world/world.ts'
import type { GsmaWorld } from './switches.ts'
import type { GsmaOrder } from './wire.ts'

/** An order of any kind. */
export async function findOrder(world: GsmaWorld, name: OrderName): Promise<GsmaOrder | undefined> {
  return (await world.findCharge(name)) ?? (await world.findPayout(name)) ?? (await world.findRefund(name))
}
