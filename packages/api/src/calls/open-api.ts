import { defineCall } from '../call.ts'

export const openApi = {
  /** The contract as an OpenAPI 3.1 document. */
  read: defineCall({ method: 'GET', path: '/api/openapi.json', access: 'public', response: 'text' }),
}
