/*
 * Sections for people that only the page of the reference has. `/openapi.json` is for programs, and says the same of each
 * operation in its own place.
 */

/** The first request, its result and its notification. */
export const quickstart = `# Quickstart

From a first API request to the notification of its payment, in a sandbox: no real money moves. Change the address to that of your service.

**1. Take a key.** A sandbox prints one when it starts. You make others in the console (*API keys*), or with \`npx kusanya keys create\`.

**2. Request money** from a sandbox phone. The currency of the sandbox is \`BXC\`.

\`\`\`sh
curl http://127.0.0.1:3000/api/collectionrequests \\
  -H 'Authorization: Token <API key>' -H 'Content-Type: application/json' \\
  -H 'Duplicate-Check-Key: order-7' \\
  -d '{"phonenumber":"+80000000003","amount":"1500","currency":"BXC","send_instructions":true}'
\`\`\`

The answer is 201, with an \`id\` and the status \`pending\`.

**3. Read the result.**

\`\`\`sh
curl http://127.0.0.1:3000/api/collectionrequests/<id> -H 'Authorization: Token <API key>'
\`\`\`

- \`+80000000003\` pays after a second: \`successful\`.
- \`+80000000001\` refuses: \`failed\`, with the reason in \`error_message\`.
- \`+80000000009\` never pays: \`instructions_sent\`, and \`expired\` in the end.

Take a status that you do not know as "in progress", and never as failed.

**4. Be told.** Reads are few, so do not ask again and again: let a webhook tell you.

\`\`\`sh
curl http://127.0.0.1:3000/api/webhooks \\
  -H 'Authorization: Token <API key>' -H 'Content-Type: application/json' \\
  -d '{"event":"collection.received","target":"https://shop.example/notifications"}'
\`\`\`

Each notification has the webhook in \`hook\` and the object in \`data\`. Answer with 2xx within 5 seconds; otherwise it comes again, ten
times in all. Check its signature, which follows [Standard Webhooks](https://www.standardwebhooks.com). The console shows the secret on the page of the webhook.`

/** All errors, and how to read them. */
export const errors = `# Errors

An error is a JSON object. The status says who has to act: 4xx you, 5xx the service.

- **400:** Fields are missing or wrong, or the body is unreadable. Correct it.
- **401:** The key is missing, wrong, revoked or expired. Check the header \`Authorization\`.
- **403:** The key lacks the permission, or the object is another organization's. Ask a manager.
- **404:** There is no such object or address. Check the id.
- **405:** The address has no such method. \`Allow\` lists those that it has.
- **406:** Your header \`Accept\` excludes JSON.
- **408:** The body took too long to arrive. Send it again.
- **409:** The \`Duplicate-Check-Key\` was used in the last 24 hours. The body names the object of your first request: read it.
- **413, 431:** The body, or the address and headers, are too large.
- **415:** The body is neither JSON nor a form. Set \`Content-Type\`.
- **429:** You send too many requests. Wait for \`Retry-After\` seconds.
- **500:** The service has a fault. Tell the operator the \`request_id\` in the body.
- **503:** Maintenance, overload or no database. Wait for \`Retry-After\` seconds.

**Wrong fields** come all at once, each with its messages. Messages about no single field are in \`non_field_errors\`.

\`\`\`json
{ "phonenumber": ["This field is required."], "amount": ["A valid number is required."] }
\`\`\`

**All other errors** have \`detail\`. Decide by the status: the words may change.

\`\`\`json
{ "detail": "You do not have permission to perform this action." }
\`\`\`

**A duplicate** names the object of the first request.

\`\`\`json
{ "detail": "Duplicate Request Detected! …", "type": "collectionrequest", "id": 123 }
\`\`\`

**Bill payments** have their own form, with a code: \`status\`, \`message\`, \`code\` and \`errors\`.

**No answer** after a POST, or a 500 or 503, means that you do not know. Send the same request again with the same \`Duplicate-Check-Key\`: 201 says that
it is new, 409 that it was accepted before. Without a key it may happen twice.

# 429 Too many requests

Beyond the [rate limit](#description/rate-limits) the answer is 429, and nothing has happened. \`detail\` names the limit, the header \`Retry-After\` the seconds to wait.

\`\`\`json
{ "detail": "Request was throttled. Expected available in 7 seconds. …" }
\`\`\`

\`RateLimit-Remaining\` says how many requests are left, and \`RateLimit-Reset\` in how many seconds there are more. To read less often, take pages
of up to 1000 objects (\`limit=1000\`), webhooks, or the [stream of events](#tag/events/GET/api/events/stream).`

/** Return the introduction of the reference: the quickstart follows the first paragraph, the errors stand at the end. */
export function withGuide(introduction: string): string {
  const end = introduction.indexOf('\n\n')
  return [introduction.slice(0, end), quickstart, introduction.slice(end + 2), errors].join('\n\n')
}
