/** The kinds of OpenTelemetry that we use. */
export type SpanKindName = 'server' | 'client' | 'consumer' | 'internal'

interface SpanDefinition {
  /** Name that trace viewers show. The span of an HTTP request is named by its method and route instead. */
  name: string
  kind: SpanKindName
  /** Span that contains it, and a text of what it shows: in Markdown, for operators. */
  inside: string
  shows: string
  /** Attributes that the span may have. Each is an id, a code or a number, never a text of a person or a network. */
  attributes: readonly string[]
}

/** Every span that the service makes. `npx kusanya describe spans` and the site show them. */
export const spans = {
  http_request: {
    name: '<method> <route>',
    kind: 'server',
    inside: 'the span of the caller, or none',
    shows: 'One request to the API, to a payment page, or of the console. A 5xx counts as failed',
    attributes: [
      ...(['http.request.method', 'http.route', 'http.response.status_code'] as const),
      ...(['kusanya.request_id', 'kusanya.collection_request'] as const),
    ],
  },
  store_request: {
    name: 'store request',
    kind: 'internal',
    inside: 'the API call',
    shows: 'The transaction that stored the request',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  start_request: {
    name: 'start request',
    kind: 'internal',
    inside: 'the API call',
    shows: 'The transaction that stored the order to the network',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  order_call: {
    name: 'call for order',
    kind: 'internal',
    inside: 'the API call',
    shows:
      'One operation of the driver for the order: `kusanya.call` is `charge`, `chargeStatus` and so on, `kusanya.outcome` the answer of the network',
    attributes: [
      ...(['kusanya.collection_request', 'kusanya.order', 'kusanya.connection'] as const),
      ...(['kusanya.call', 'kusanya.outcome'] as const),
    ],
  },
  network_call: {
    name: 'network call',
    kind: 'client',
    inside: '`call for order`, `callback` or `call for SMS`',
    shows:
      'One HTTP call to the network or the SMS provider, a token among them. No answer, 4xx and 5xx count as failed',
    attributes: [
      ...(['kusanya.connection', 'kusanya.verb'] as const),
      ...(['http.request.method', 'http.response.status_code'] as const),
    ],
  },
  settle_order: {
    name: 'settle order',
    kind: 'internal',
    inside: 'the API call',
    shows: 'The transaction that stored the answer of the network about the order',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  callback: {
    name: 'callback',
    kind: 'consumer',
    inside: 'the API call',
    shows: 'A callback of the network, from its arrival until its report is applied',
    attributes: ['kusanya.collection_request', 'kusanya.callback', 'kusanya.connection', 'kusanya.state'],
  },
  match_payment: {
    name: 'match payment',
    kind: 'internal',
    inside: 'the API call',
    shows: 'The transaction that entered the money into the books and matched it to the request',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  change_request: {
    name: 'change request',
    kind: 'internal',
    inside: 'the API call',
    shows: 'Another transaction that changed the request: it expired, or a person did something',
    attributes: ['kusanya.collection_request', 'kusanya.batch_size'],
  },
  webhook_delivery: {
    name: 'webhook delivery',
    kind: 'client',
    inside: 'the API call',
    shows: 'One attempt to deliver a notification. No answer, and an answer that counts as failed, are failures',
    attributes: [
      ...(['kusanya.collection_request', 'kusanya.webhook', 'kusanya.event', 'kusanya.attempt'] as const),
      ...(['http.request.method', 'http.response.status_code'] as const),
    ],
  },
  sms_call: {
    name: 'call for SMS',
    kind: 'internal',
    inside: 'the API call',
    shows: 'One attempt to send an SMS, or a question about it',
    attributes: ['kusanya.collection_request', 'kusanya.sms', 'kusanya.connection', 'kusanya.outcome'],
  },
} as const satisfies Record<string, SpanDefinition>

export type SpanName = keyof typeof spans
/** The attributes of a span. Those without a value are left out. */
export type SpanAttributes<Name extends SpanName> = Partial<
  Record<(typeof spans)[Name]['attributes'][number], string | number | null | undefined>
>
