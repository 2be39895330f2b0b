import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { attestOrderAction } from '../../core/attestations/actions.ts'
import { Attestation, readDocument } from '../../core/attestations/attestation.ts'
import { MAX_DOCUMENT_BYTES } from '../../core/attestations/documents.ts'
import { requiredText } from '../../core/fields.ts'
import { fileHeader } from '../../http/files/file-name.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { fileContent } from '../file-uploads.ts'

/** A document of 2 MB in base64, and the other fields. */
const MAX_ATTEST_BYTES = Math.ceil(MAX_DOCUMENT_BYTES / 3) * 4 + 32_768

/** Add the routes of orders that two people settle: attest, the lists, and the documents. */
export function addAttestations(server: Server, app: App): void {
  addAttest(server, app)
  addDocument(server, app)
}

function addAttest(server: Server, app: App): void {
  const { permission, input } = attestOrderAction
  const document = z.object({ name: requiredText(500), content: fileContent })
  server.post('/console/api/orders/:reference/attest', {
    config: { permission },
    bodyLimit: MAX_ATTEST_BYTES,
    schema: {
      params: z.object({ reference: z.string().min(1).max(100) }),
      body: input.omit({ reference: true }).extend({ document }),
      response: { 201: Attestation },
    },
    handler: async (request, reply) => {
      const { name, content: bytes } = request.body.document
      const attested = { ...request.params, ...request.body, document: { name, bytes } }
      return reply.code(201).send(await performAction(app, request, attestOrderAction, { input: attested }))
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
