import type { ProviderConnection } from '../../src/connections/connection.ts'
import { toolsOf } from '../../src/connections/tools/call-driver.ts'
import type { DriverTools, OpenedConnection } from '../../src/drivers/contract.ts'

type BoundTo<Operation> = Operation extends (...args: infer Args) => infer Answer
  ? Args extends [...infer Given, DriverTools]
    ? (...given: Given) => Answer
    : Operation
  : Operation

/** Operations of a driver that have their tools already, so that a test calls them with their input alone. */
export type Bound<Operations> = { [Name in keyof Operations]: BoundTo<Operations[Name]> }

/** Give all calls of these operations the same tools. */
export function bindTools<Operations extends object>(operations: Operations, tools: DriverTools): Bound<Operations> {
  const bound = Object.entries(operations).map(([name, operation]) => [
    name,
    (...given: unknown[]) => operation.call(operations, ...given, tools),
  ])
  return Object.fromEntries(bound) as Bound<Operations>
}

/** Open a connection whose calls all have the same tools. */
export function openBound<Operations extends object>(
  driver: { open(connection: OpenedConnection<never>, tools: DriverTools): Operations },
  connection: OpenedConnection<never>,
  tools: DriverTools,
): Bound<Operations> {
  return bindTools(driver.open(connection, tools), tools)
}

/** Return the operations of an open connection, with tools for calls that belong to no order. */
export function bindConnection<Operations extends object>(
  connection: Pick<ProviderConnection, 'tools'> & { operations: Operations },
): Bound<Operations> {
  return bindTools(connection.operations, toolsOf(connection))
}
