import { z } from 'zod'
import type { App } from '../../app.ts'
import { requiredText } from '../../core/fields.ts'
import { attestOrderAction } from '../../core/manual-settlements/actions.ts'
import { Attestation, readDocument } from '../../core/manual-settlements/attestation.ts'
import { MAX_DOCUMENT_BYTES } from '../../core/manual-settlements/documents.ts'
import { fileHeader } from '../../http/files/file-name.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { addAction } from '../actor.ts'
import { fileContent } from '../file-uploads.ts'

/** A document of 2 MB in base64, and the other fields. */
const MAX_ATTEST_BYTES = Math.ceil(MAX_DOCUMENT_BYTES / 3) * 4 + 32_768

/** Add the routes of orders that two people settle: attest, the lists, and the documents. */
export function addAttestations(server: Server, app: App): void {
  addAttest(server, app)
  addDocument(server, app)
}

function addAttest(server: Server, app: App): void {
  const document = z.object({ name: requiredText(500), content: fileContent })
  addAction(server, app, attestOrderAction, {
    method: 'POST',
    url: '/console/api/orders/:reference/attest',
    bodyLimit: MAX_ATTEST_BYTES,
    params: z.object({ reference: z.string().min(1).max(100) }),
    body: attestOrderAction.input.omit({ reference: true }).extend({ document }),
    answer: Attestation,
    status: 201,
    input({ params, body }) {
      const { name, content: bytes } = body.document
      return { ...params, ...body, document: { name, bytes } }
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
