import { z } from 'zod'
import { attestationContext } from '../../actions/attestation-context.ts'
import type { App } from '../../app.ts'
import {
  Attestation,
  attestationStates,
  attestedOutcomes,
  getAttestation,
  listAttestations,
  readDocument,
} from '../../core/attestations/attestation.ts'
import { type AttestationDecision, attestOrder, decideAttestation } from '../../core/attestations/attestations.ts'
import { MAX_DOCUMENT_BYTES } from '../../core/attestations/documents.ts'
import { choiceError, optional, positiveAmount, requiredText } from '../../core/fields.ts'
import { begin } from '../../db/client.ts'
import { fileHeader } from '../../http/files/file-name.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { failureReasons } from '../../lib/adapter-types.ts'
import { fileContent } from '../file-uploads.ts'

/** A document of 2 MB in base64, and the other fields. */
const MAX_ATTEST_BYTES = Math.ceil(MAX_DOCUMENT_BYTES / 3) * 4 + 32_768

const choice = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: choiceError(values) })

const NewAttestation = z.object({
  outcome: choice(attestedOutcomes),
  remote_id: optional(requiredText(100)),
  amount: optional(positiveAmount),
  token: optional(requiredText(100)),
  failure_reason: optional(choice(failureReasons)),
  statement: requiredText(200),
  note: requiredText(2_000),
  document: z.object({ name: requiredText(500), content: fileContent }),
})

/** The routes by which two people settle an order: attest, approve, reject, withdraw; the lists, and the documents. */
export function addAttestations(server: Server, app: App): void {
  addAttest(server, app)
  addLists(server, app)
  for (const verdict of ['approve', 'reject', 'withdraw'] as const) addDecision(server, app, verdict)
  addDocument(server, app)
}

function addAttest(server: Server, app: App): void {
  const url = '/console/api/orders/:reference/attest'
  server.post(url, {
    // Core requires the permission to initiate or to approve payments.
    config: { permission: 'view' },
    bodyLimit: MAX_ATTEST_BYTES,
    schema: {
      params: z.object({ reference: z.string().min(1).max(100) }),
      body: NewAttestation,
      response: { 201: Attestation },
    },
    handler: async (request, reply) => {
      const { organization, user } = request.caller
      const { remote_id, amount, token, failure_reason, document, ...fields } = request.body
      const made = await begin(app.db, (tx) =>
        attestOrder(tx, attestationContext(app), {
          ...fields,
          ...{ organization, user, address: request.ip, order: request.params.reference },
          ...{ remote_id: remote_id ?? null, amount: amount ?? null, token: token ?? null },
          failure_reason: failure_reason ?? null,
          document: { name: document.name, bytes: document.content },
        }),
      )
      app.wake()
      return reply.code(201).send(made)
    },
  })
}

function addLists(server: Server, app: App): void {
  const url = '/console/api/attestations'
  server.get(url, {
    config: { permission: 'view' },
    schema: {
      querystring: listQuery({ state: choice(attestationStates).optional() }),
      response: { 200: listOf(Attestation) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const filters = { organization: request.caller.organization, state: request.query.state }
      const list = await app.reads.snapshot((tx) => listAttestations(tx, filters, page))
      return answerPage(app, request, page, list)
    },
  })

  server.get(`${url}/:id`, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: Attestation } },
    handler: ({ caller, params }) => app.reads.read((db) => getAttestation(db, params.id, caller.organization)),
  })
}

function addDecision(server: Server, app: App, verdict: AttestationDecision['verdict']): void {
  const url = `/console/api/attestations/:id/${verdict}`
  server.post(url, {
    // The author may withdraw without the permission to approve; core requires it of the others.
    config: { permission: verdict === 'withdraw' ? 'view' : 'approve_payments' },
    schema: {
      params: idParams,
      body: z.object({ note: optional(requiredText(2_000)) }).nullish(),
      response: { 200: Attestation },
    },
    handler: async (request) => {
      const { organization, user } = request.caller
      const { id } = request.params
      const note = request.body?.note ?? null
      const decider = { organization, user, address: request.ip }
      const decided = await begin(app.db, (tx) =>
        decideAttestation(tx, attestationContext(app), decider, { id, verdict, note }),
      )
      app.wake()
      return decided
    },
  })
}

/** Browsers save the document and never show it, because a stranger may have made it. */
function addDocument(server: Server, app: App): void {
  const url = '/console/api/attestations/:id/document'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams },
    handler: async ({ caller, params }, reply) => {
      const { name, type, bytes } = await readDocument(app.db, params.id, caller.organization)
      return reply
        .type(type)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('content-disposition', fileHeader(name))
        .send(bytes)
    },
  })
}
