import type { App } from '../../app.ts'
import type { SpanAttributes, SpanName } from '../../lib/tracing/spans.ts'
import type { ActiveSpan } from '../../lib/tracing/tracing.ts'

/** A span of a collection request that is to begin. */
interface RequestSpan<Name extends SpanName> {
  name: Name
  collection_request: number | null
  /** The context of the trace of the request, from `findTrace`; undefined for none. */
  parent: string | undefined
  attributes: SpanAttributes<Name>
  /** Real time in milliseconds since 1970; now unless given. */
  start_ms?: number
}

/** The context of the trace of a request; undefined while traces are off, and where it has none that is exported. */
export async function findTrace(app: App, collection_request: number | null): Promise<string | undefined> {
  if (!app.traces || collection_request === null) return undefined
  return (await app.traces.find([collection_request])).get(collection_request)
}

/** Runs work in a span of a request. Without a trace it only runs the work. */
export async function traced<Name extends SpanName, T>(
  app: App,
  { name, collection_request, parent, attributes, start_ms }: RequestSpan<Name>,
  work: (span?: ActiveSpan<Name>) => Promise<T>,
): Promise<T> {
  if (!app.traces || parent === undefined) return work()
  const { tracing } = app.traces
  const span = tracing.start(name, {
    parent,
    attributes: { 'kusanya.collection_request': collection_request, ...attributes } as SpanAttributes<Name>,
    ...(start_ms !== undefined && { start_ms }),
  })
  try {
    return await tracing.run(span, () => work(span))
  } catch (error) {
    span.fail('error')
    throw error
  } finally {
    span.end()
  }
}
