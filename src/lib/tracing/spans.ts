/** The kinds of OpenTelemetry that we use. */
export type SpanKindName = 'server' | 'client' | 'consumer' | 'internal'

interface SpanDefinition {
  /** What trace viewers show. The span of an HTTP request is named by its method and route instead. */
  name: string
  kind: SpanKindName
  /** All attributes that the span may have. Each is an id, a code or a number, and never what a person or a network wrote. */
  attributes: readonly string[]
}

/**
 * Every span that the service makes. docs/operating/tracing.md explains them to operators; test/lib/tracing/spans.test.ts
 * compares the two.
 */
export const spans = {
  http_request: {
    name: '<method> <route>',
    kind: 'server',
    attributes: [
      ...(['http.request.method', 'http.route', 'http.response.status_code'] as const),
      ...(['kusanya.request_id', 'kusanya.collection_request'] as const),
    ],
  },
  store_request: {
    name: 'store request',
    kind: 'internal',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  start_request: {
    name: 'start request',
    kind: 'internal',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  order_call: {
    name: 'call for order',
    kind: 'internal',
    attributes: [
      ...(['kusanya.collection_request', 'kusanya.order', 'kusanya.connection'] as const),
      ...(['kusanya.call', 'kusanya.outcome'] as const),
    ],
  },
  network_call: {
    name: 'network call',
    kind: 'client',
    attributes: [
      ...(['kusanya.connection', 'kusanya.verb'] as const),
      ...(['http.request.method', 'http.response.status_code'] as const),
    ],
  },
  settle_order: {
    name: 'settle order',
    kind: 'internal',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  callback: {
    name: 'callback',
    kind: 'consumer',
    attributes: ['kusanya.collection_request', 'kusanya.callback', 'kusanya.connection', 'kusanya.state'],
  },
  match_payment: {
    name: 'match payment',
    kind: 'internal',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  change_request: {
    name: 'change request',
    kind: 'internal',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  webhook_delivery: {
    name: 'webhook delivery',
    kind: 'client',
    attributes: [
      ...(['kusanya.collection_request', 'kusanya.webhook', 'kusanya.event', 'kusanya.attempt'] as const),
      ...(['http.request.method', 'http.response.status_code'] as const),
    ],
  },
  sms_call: {
    name: 'call for SMS',
    kind: 'internal',
    attributes: ['kusanya.collection_request', 'kusanya.sms', 'kusanya.connection', 'kusanya.outcome'],
  },
} as const satisfies Record<string, SpanDefinition>

export type SpanName = keyof typeof spans
/** The attributes of a span. Those without a value are left out. */
export type SpanAttributes<Name extends SpanName> = Partial<
  Record<(typeof spans)[Name]['attributes'][number], string | number | null | undefined>
>
