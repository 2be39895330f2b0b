import swagger from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { Server } from './server.ts'

/** Describes every route in OpenAPI 3.1, from the same schemas that check and write the bodies. Register before the routes. */
export async function addOpenApi(server: Server, options: { version: string; service_name: string }): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${options.service_name} API`,
        version: options.version,
        description: 'Ask customers for mobile money, match what comes in, and hear what happened.',
      },
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <API key>`' },
        },
      },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
}
