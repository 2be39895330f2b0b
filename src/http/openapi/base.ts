/** The sections of the document, in the order of the page at `/docs`. */
const tags = [
  { name: 'Collection requests', description: 'Ask a customer to send money, and read the status of the request.' },
  { name: 'Plans', description: 'Recurring collection requests: their dates, what they collected, pause and stop.' },
  { name: 'Payment links', description: 'Pages on which customers type their phone number and pay.' },
  { name: 'Receipts', description: 'Pages and PDFs for payments received, numbered without gaps.' },
  { name: 'Reports', description: 'Open amounts by age, and unmatched money.' },
  { name: 'Matching', description: 'What incoming money is for: allocations, suggestions, and your rules.' },
  { name: 'Invoices', description: 'Invoices with lines, a payment page and reminders.' },
  {
    name: 'Bill payments',
    description: 'Airtime, data, electricity, TV and pins: look up, buy, and read the result of a purchase.',
  },
  { name: 'Webhooks', description: 'URLs of yours that receive a notification for each event.' },
  { name: 'Events', description: 'Records of changes in your organization, kept for at least 30 days.' },
  { name: 'Collections', description: 'Incoming payments from customers.' },
  { name: 'Payments', description: 'Send money or airtime to phones, and read the state of the payment.' },
  { name: 'Contacts', description: 'The customers of your collection requests and collections.' },
  { name: 'Accounts', description: 'Your wallets and their balances.' },
  { name: 'Transactions', description: 'The transfers that changed the balances of your wallets.' },
  { name: 'Networks', description: 'The mobile-money networks of this installation.' },
  { name: 'SMS', description: 'SMS to customers, and their delivery.' },
  { name: 'Currencies', description: 'The currencies of local wallets.' },
]

const introduction = `Request mobile money from customers, match incoming payments, and receive events.

# Keys

Send \`Authorization: Token <API key>\` with every request. \`Bearer <API key>\` means the same.

Bill payments (\`/api/gateway/…\`, also \`/api/baxipay/…\`) also accept the key as \`x-api-key: <API key>\` or
\`Authorization: Api-key <API key>\`, or a signature instead of a key. Their responses have an envelope of their own.

# Bodies

Bodies are \`application/json\` or \`application/x-www-form-urlencoded\`. A dotted key makes an
object: \`metadata.order=7\`. Unknown fields, headers and query parameters are ignored; \`null\` for an optional field means
"not given".

# Lists

Lists return \`count\`, \`next\`, \`previous\` and \`results\`. They accept \`limit\` (default 10, at most 1000),
\`offset\` and \`ordering\`. Filters match exactly and can be combined; a filter with an empty value is ignored.

# Times

Times are UTC: \`2030-01-31T12:00:00Z\`. Filters accept \`2030-01-31\`, \`2030-01-31T12:00:00Z\`, \`2030-01-31 12:00\`,
\`31/01/2030 12:00:00\` and offsets.

# Duplicate protection

Any POST that creates something may have the header \`Duplicate-Check-Key\`. For 24 hours after a request with a key was
accepted, a second request with the same key is refused with 409. That response names the object of the first request.

# Rate limits

30 reads and 3000 writes a minute for each key, unless the operator set other limits. Every response has the
headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

# Addresses

Paths are also served under \`/api/v1\` to \`/api/v5\`, and with a trailing slash.`

/** The parts of the document that do not depend on the routes. */
export function openApiBase(options: { version: string; service_name: string }) {
  return {
    openapi: '3.1.0',
    info: {
      title: `${options.service_name} API`,
      version: options.version,
      description: introduction,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags,
    security: [{ token: [] }, { bearer: [] }] as Record<string, string[]>[],
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Authorization',
          description: '`Token <API key>`',
        },
        bearer: { type: 'http' as const, scheme: 'bearer', description: 'The API key.' },
        api_key: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'x-api-key',
          description: 'The API key without a scheme word; bill payments only.',
        },
      },
    },
  }
}
